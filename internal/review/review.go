package review

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Reviews are the files that agents changed. It is safe for concurrent use; a
// nil Reviews follows nothing.
type Reviews struct {
	now   func() *buffers.Snapshot
	clock func() time.Time

	log    *ledger.Log // nil where nothing outlives the process
	others func(room int64) []ledger.Entry
	later  func(func(context.Context)) bool
	some   chan struct{} // holds a token when there is something untold
	// commands tells whose command runs, where it is one agent's alone; texts are
	// those that are remembered. Both may be nil.
	commands func() (client string, ok bool)
	texts    func(text.Hash) (text.Text, bool)

	mu     sync.Mutex
	shrink shrinking
	files  map[string]*file       // by the key of their path
	tracks int                    // how many were begun
	untold map[workspace.Path]int // hunks of files of which Next has not told
	turns  map[string]*turn       // by client
	turn   int                    // how many were begun
	// checkpoints are of the turns in which agents changed something, the latest
	// last; editing tells when a client did so last, and in which turn.
	checkpoints []Checkpoint
	editing     map[string]*turn
	pause       time.Duration
}

// file is one that is followed, or about to be.
type file struct {
	// turn is held by who looks at the rest or changes it.
	turn chan struct{}

	path  workspace.Path
	track *ledger.Track // nil before an agent changed it
	// text is that of the track's lines, where it is known; hash that of the file
	// on disk which it was, where it was closed.
	text  text.Text
	known bool
	hash  text.Hash
	gone  *Gone
	// unseen: what changed since an earlier process saw it, nobody knows by whom.
	unseen bool
	// marks are what a later process knows to have become of the file.
	marks ledger.Marks
	told  []string // what was pending when that was told last
	// closed: the document was closed, and what its file holds otherwise was thrown
	// away with it.
	closed  bool
	open    bool // the text is that of a document, of this version
	version int32
	reloads int            // of the document, as of the last look
	by      *ledger.Origin // who changed the file on disk, where that is known
}

// Gone is what brings a deleted file back.
type Gone struct {
	Format text.Format `json:"format"`
	Mode   fs.FileMode `json:"mode"`           // permission bits
	Edit   string      `json:"edit,omitempty"` // id of the change that deleted it
	// Raw are the bytes of a file that is no text; nil where they were not kept, or
	// where the file is a text.
	Raw []byte `json:"raw,omitempty"`
	// Text: the track has the file's lines.
	Text bool `json:"text,omitzero"`
}

// New returns reviews of no files. now makes snapshots of the present.
func New(now func() *buffers.Snapshot, clock func() time.Time) *Reviews {
	return &Reviews{now: now, clock: clock, files: make(map[string]*file), some: make(chan struct{}, 1), untold: make(map[workspace.Path]int), turns: make(map[string]*turn), editing: make(map[string]*turn), pause: DefaultPause}
}

// Now returns the time of what happens now.
func (r *Reviews) Now() time.Time {
	if r == nil {
		return time.Time{}
	}
	return r.clock()
}

// patience is how long who asks waits for a change that is under way.
const patience = 300 * time.Millisecond

// at returns the file of a path, new where there was none.
func (r *Reviews) at(p workspace.Path) *file {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[p.Key()]
	if f == nil {
		f = &file{turn: make(chan struct{}, 1), path: p}
		r.files[p.Key()] = f
	}
	return f
}

// followed returns the file of a path; nil when it is not followed.
func (r *Reviews) followed(key string) *file {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[key]
}

// all returns the files in the order of their paths.
func (r *Reviews) all() []*file {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]*file, 0, len(r.files))
	for _, f := range r.files {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *file) int { return cmp.Compare(a.path.Key(), b.path.Key()) })
	return list
}

func (f *file) lock() { f.turn <- struct{}{} }

func (f *file) unlock() { <-f.turn }

// tryLock waits a moment for the file's turn.
func (f *file) tryLock(ctx context.Context) bool {
	select {
	case f.turn <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case f.turn <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// advance takes note that the text is now another, by whom.
func (r *Reviews) advance(f *file, now text.Text, by ledger.Origin) error {
	if f.known && f.text.Same(now) {
		return nil
	}
	var splices []ledger.Splice
	if f.known {
		splices = ledger.Splices(f.text, now)
	} else {
		splices = ledger.SplicesOfSums(f.track.Sums(), ledger.SumsOf(now.String()))
	}
	if len(splices) > 0 {
		f.track.Strip(by, splices)
		if f.unseen && by.Kind != ledger.Agent {
			by.Kind = ""
		}
		e := ledger.Entry{Do: ledger.DoEdit, By: &by, Splices: splices}
		if by.Kind == ledger.Agent {
			e.Turn = r.editTurn(by)
		}
		if err := r.do(f, e); err != nil {
			return err
		}
	}
	f.text, f.known, f.unseen = now, true, false
	return nil
}

// look takes note of the text that the file has now. The file is the caller's,
// see lock. It reports whether there is a text, and the document that has it
// where it is open.
func (r *Reviews) look(ctx context.Context, f *file) (*buffers.Document, bool) {
	s := r.now()
	defer s.Close()
	if d := s.Overlay.Get(f.path.Key()); d != nil {
		if d.OutOfSync != "" {
			return nil, false
		}
		f.hash = text.Hash{}
		r.there(f)
		by := ledger.Origin{Kind: ledger.Editor, Time: r.clock()}
		if d.Reloads() != f.reloads && f.known {
			by = r.onDisk(f)
		}
		f.reloads, f.open, f.version = d.Reloads(), true, d.Version
		return d, r.advance(f, d.Text, by) == nil
	}
	f.open = false
	now, err := s.File(ctx, f.path, "")
	switch {
	case err != nil || now.Binary || now.Content.Len() > maxFollowed:
		return nil, f.track.Absent && fault.KindOf(err) == fault.NotFound
	case now.Hash == f.hash && !f.track.Gone:
		f.closed = false
		return nil, true
	}
	if old, ok := r.remembered(f.hash); ok && !f.known {
		f.text, f.known = old, true
	}
	raw := now.Content.Append(make([]byte, 0, now.Content.Len()), text.Span{End: now.Content.Len()})
	if now.Err() != nil || r.advance(f, text.New(string(raw)), r.onDisk(f)) != nil {
		return nil, false
	}
	f.hash, f.gone, f.closed = now.Hash, nil, false
	f.track.Gone, f.track.Absent = false, false
	r.mark(f)
	f.forgetText()
	return nil, true
}

// onDisk returns who changed a file on disk.
func (r *Reviews) onDisk(f *file) ledger.Origin {
	by := ledger.Origin{Kind: ledger.Program, Time: r.clock()}
	switch {
	case f.by != nil:
		return *f.by
	case f.closed:
		by.Kind = ledger.Editor
	case r.commands != nil:
		if client, ok := r.commands(); ok {
			by.Kind, by.Client = ledger.Agent, client
		}
	}
	return by
}

func (r *Reviews) remembered(h text.Hash) (text.Text, bool) {
	if r.texts == nil || h == (text.Hash{}) {
		return text.Text{}, false
	}
	return r.texts(h)
}

// Ask has the reviews ask whose commands run, and for texts that are remembered. It
// comes before all other calls.
func (r *Reviews) Ask(commands func() (client string, ok bool), texts func(text.Hash) (text.Text, bool)) {
	r.commands, r.texts = commands, texts
}

// has reports whether a text is that of the track's lines.
func (f *file) has(t text.Text) bool {
	if f.known {
		return f.text.Equal(t)
	}
	return slices.Equal(f.track.Sums(), ledger.SumsOf(t.String()))
}

// forgetText lets go of the text of a file that is not open.
func (f *file) forgetText() { f.text, f.known = text.Text{}, false }

// there takes note that the file of a track is there.
func (r *Reviews) there(f *file) {
	if f.track.Gone || f.track.Absent {
		f.track.Gone, f.track.Absent, f.gone = false, false, nil
		r.mark(f)
	}
}

// maxFollowed is the largest text that is followed, in bytes.
const maxFollowed = 64 << 20
