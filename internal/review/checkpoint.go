package review

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// DefaultPause is how long a client changes nothing before a turn of edits of its
// own begins.
const DefaultPause = 2 * time.Minute

// maxCheckpoints is how many are kept; files know fewer turns each.
const maxCheckpoints = 100

// Checkpoint is the state of the files before a turn of edits of an agent.
type Checkpoint struct {
	Turn   int       `json:"turn"`
	Time   time.Time `json:"time"`
	Client string    `json:"client,omitempty"`
	Reason string    `json:"reason"`
	Files  int       `json:"-"` // that agents changed since
}

// ID names the checkpoint.
func (c Checkpoint) ID() string { return strconv.Itoa(c.Turn) }

// SetPause sets how long a client changes nothing before a turn of its own begins.
func (r *Reviews) SetPause(d time.Duration) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause = d
}

// editTurn returns the turn of an agent's edit. Where one begins there is a
// checkpoint of before.
func (r *Reviews) editTurn(by ledger.Origin) int {
	r.mu.Lock()
	t := r.editing[by.Client]
	if t == nil {
		if len(r.editing) >= maxTurns {
			clear(r.editing)
		}
		t = &turn{}
		r.editing[by.Client] = t
	}
	now := r.clock()
	if t.number != 0 && now.Sub(t.last) <= r.pause {
		t.last = now
		defer r.mu.Unlock()
		return r.lastTurn()
	}
	number := r.lastTurn() + 1
	*t = turn{number: number, last: now}
	c := Checkpoint{Turn: number, Time: now, Client: by.Client, Reason: "before the edits of " + by.Client}
	r.checkpoints = append(r.checkpoints, c)
	if len(r.checkpoints) > maxCheckpoints {
		r.checkpoints = slices.Delete(r.checkpoints, 0, 1)
	}
	r.mu.Unlock()
	raw, _ := wire.Marshal(c) // of plain values
	r.Record(ledger.Entry{Do: ledger.DoCheckpoint, Key: c.ID(), Value: raw})
	return number
}

// lastTurn returns the number of the latest turn. The reviews are locked.
func (r *Reviews) lastTurn() int {
	if len(r.checkpoints) == 0 {
		return 0
	}
	return r.checkpoints[len(r.checkpoints)-1].Turn
}

// Checkpoint returns the turn of the checkpoint of that id.
func (r *Reviews) Checkpoint(id string) (turn int, ok bool) {
	if r == nil {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.checkpoints, func(c Checkpoint) bool { return c.ID() == id })
	if i < 0 {
		return 0, false
	}
	return r.checkpoints[i].Turn, true
}

// ChangedSince returns the files that agents changed from a turn on.
func (r *Reviews) ChangedSince(turn int) (paths []workspace.Path) {
	for _, f := range r.all() {
		f.lock()
		if f.track != nil && f.track.Since(turn).Differs(f.track) {
			paths = append(paths, f.path)
		}
		f.unlock()
	}
	return paths
}

// Checkpoints returns what can be gone back to, the latest first.
func (r *Reviews) Checkpoints() []Checkpoint {
	if r == nil {
		return nil
	}
	files := r.all()
	r.mu.Lock()
	list := slices.Clone(r.checkpoints)
	r.mu.Unlock()
	slices.SortFunc(list, func(a, b Checkpoint) int { return cmp.Compare(b.Turn, a.Turn) })
	for _, f := range files {
		f.lock()
		for i := range list {
			if f.track != nil && f.track.Since(list[i].Turn).Differs(f.track) {
				list[i].Files++
			}
		}
		f.unlock()
	}
	return list
}

// restoreCheckpoints has the reviews go on with those that were kept.
func (r *Reviews) restoreCheckpoints(kept []ledger.Kept) {
	for _, k := range kept {
		var c Checkpoint
		if wire.Unmarshal(k.Value, &c) == nil {
			r.checkpoints = append(r.checkpoints, c)
		}
	}
	slices.SortFunc(r.checkpoints, func(a, b Checkpoint) int { return cmp.Compare(a.Turn, b.Turn) })
	r.checkpoints = r.checkpoints[max(0, len(r.checkpoints)-maxCheckpoints):]
}

// checkpointEntries returns those that keep the checkpoints.
func (r *Reviews) checkpointEntries() []ledger.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	var entries []ledger.Entry
	for _, c := range r.checkpoints {
		raw, _ := wire.Marshal(c) // of plain values
		entries = append(entries, ledger.Entry{Do: ledger.DoCheckpoint, Key: c.ID(), Value: raw})
	}
	return entries
}
