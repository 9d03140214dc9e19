package review

import (
	"context"
	"path/filepath"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// shrinking tells how far a log that takes no more is made anew.
type shrinking struct {
	running bool
	last    time.Time
}

// shrinkPause is how long after a log could not be made anew that is tried again.
const shrinkPause = 30 * time.Second

// do makes what an entry says of the file's track true, and records it.
func (r *Reviews) do(f *file, e ledger.Entry) error {
	e.Track = f.track.ID
	if err := f.track.Do(e); err != nil {
		return err
	}
	f.marks = f.track.Marked()
	r.record(f, e)
	return nil
}

// mark records what became of the file as a whole.
func (r *Reviews) mark(f *file) {
	t := f.track
	if t == nil {
		return
	}
	t.Hash, t.Value = "", nil
	if f.hash != (text.Hash{}) {
		t.Hash = f.hash.String()
	}
	if t.Gone && f.gone != nil {
		t.Value, _ = wire.Marshal(*f.gone) // of plain values
	}
	marks := t.Marked()
	if was := f.marks; marks.Path == was.Path && marks.From == was.From && marks.Created == was.Created && marks.Gone == was.Gone && marks.Absent == was.Absent && marks.Hash == was.Hash {
		return
	}
	f.marks = marks
	r.record(f, ledger.Entry{Do: ledger.DoMarks, Track: t.ID, Marks: &marks})
}

// record keeps an entry about a file. What has no file is forgotten with the
// process.
func (r *Reviews) record(f *file, e ledger.Entry) {
	if filepath.IsAbs(f.path.Key()) {
		r.Record(e)
	}
}

// Record keeps an entry for the next process.
func (r *Reviews) Record(e ledger.Entry) {
	if r == nil || r.log == nil {
		return
	}
	if err := r.log.Append(e); err != nil {
		r.shrinkLater()
	}
}

// shrinkLater has the log made anew, which takes no more until then.
func (r *Reviews) shrinkLater() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if r.shrink.running || r.later == nil || now.Sub(r.shrink.last) < shrinkPause && !r.shrink.last.IsZero() {
		return
	}
	r.shrink = shrinking{r.later(r.makeAnew), now}
}

// makeAnew makes the log anew of what is known now.
func (r *Reviews) makeAnew(context.Context) {
	files := r.all()
	for _, f := range files {
		f.lock()
	}
	var tracks []*ledger.Track
	for _, f := range files {
		if f.track != nil && filepath.IsAbs(f.path.Key()) {
			tracks = append(tracks, f.track)
		}
	}
	entries := append(ledger.Snapshots(tracks, r.log.Room()/2), r.checkpointEntries()...)
	if r.others != nil {
		entries = append(entries, r.others(r.log.Room()/2)...)
	}
	err := r.log.Shrink(entries)
	for _, f := range files {
		f.unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shrink.running = false
	if err == nil {
		r.shrink.last = time.Time{}
	}
}

// Restore has the reviews go on with what an earlier process knew, and keep in log
// what happens from now on. others are the entries of what else is kept there, the
// newest that take room bytes. It comes before all other calls.
func (r *Reviews) Restore(log *ledger.Log, state *ledger.State, paths func(key string) (workspace.Path, bool), later func(func(context.Context)) bool, others func(room int64) []ledger.Entry) {
	r.log, r.later, r.others = log, later, others
	r.mu.Lock()
	defer r.mu.Unlock()
	r.restoreCheckpoints(state.Checkpoints)
	for _, t := range state.Tracks {
		p, ok := paths(t.Path)
		if !ok {
			r.Record(ledger.Entry{Do: ledger.DoEnd, Track: t.ID})
			continue
		}
		f := &file{turn: make(chan struct{}, 1), path: p, track: t, unseen: true, marks: t.Marked()}
		f.hash, _ = text.ParseHash(t.Hash) // zero where there is none
		if t.Gone && len(t.Value) > 0 {
			f.gone = new(Gone)
			if wire.Unmarshal(t.Value, f.gone) != nil {
				f.gone = nil
			}
		}
		r.files[p.Key()] = f
		r.tracks = max(r.tracks, t.ID)
	}
}

// Clear forgets all files and checkpoints, and what was kept of them.
func (r *Reviews) Clear() {
	for _, f := range r.all() {
		f.lock()
		f.track, f.gone, f.hash, f.marks = nil, nil, text.Hash{}, ledger.Marks{}
		f.forgetText()
		r.news(f)
		f.unlock()
	}
	r.mu.Lock()
	r.checkpoints = nil
	clear(r.editing)
	r.mu.Unlock()
	if r.log != nil {
		_ = r.log.Shrink(nil) // where that fails the log takes nothing until it is made anew
	}
}

// Close ends the keeping.
func (r *Reviews) Close() {
	if r != nil && r.log != nil {
		r.log.Close()
	}
}
