package review

import (
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Hold keeps others from looking at files while they are changed.
type Hold struct {
	reviews *Reviews
	files   []*file
}

// Hold waits until nobody looks at the files and returns what keeps it so. The
// caller releases it.
func (r *Reviews) Hold(paths []workspace.Path) *Hold {
	if r == nil {
		return nil
	}
	h := &Hold{reviews: r}
	slices.SortFunc(paths, func(a, b workspace.Path) int { return cmp.Compare(a.Key(), b.Key()) })
	for i, p := range paths {
		if i > 0 && p.Key() == paths[i-1].Key() {
			continue
		}
		f := r.at(p)
		f.lock()
		h.files = append(h.files, f)
	}
	return h
}

// Release lets others look again.
func (h *Hold) Release() {
	if h == nil {
		return
	}
	for _, f := range h.files {
		f.unlock()
	}
}

// Action is what became of a file.
type Action int

// The actions.
const (
	Modified Action = iota
	Created
	Deleted
	Moved
)

// Change is what became of one of the files of a hold.
type Change struct {
	Action   Action
	Path, To workspace.Path // To is where it was moved
	// Old and Fresh are the texts before and after; FreshHash is that of the file
	// afterwards.
	Old, Fresh text.Text
	FreshHash  text.Hash
	By         ledger.Origin
	// Undone are the parts of hunks that the change takes back; then By is of no
	// account.
	Undone []ledger.Part
	// Gone is what brings a deleted file back.
	Gone *Gone
	// Open: the text is changed in the editor.
	Open bool
}

// Changed takes note of a change that was made.
func (h *Hold) Changed(c Change) {
	if h == nil {
		return
	}
	f := h.file(c.Path)
	if f.track == nil {
		if c.By.Kind != ledger.Agent {
			return // nobody asks who wrote what in a file that no agent has changed
		}
		h.reviews.begin(f, c)
	} else if c.Action != Created {
		_ = h.reviews.advance(f, c.Old, ledger.Origin{Kind: ledger.Editor, Time: c.By.Time})
	}
	h.reviews.take(f, c)
	if c.Action == Moved {
		f = h.move(f, c)
	}
	h.reviews.mark(f)
	h.reviews.news(f)
}

func (h *Hold) file(p workspace.Path) *file {
	i := slices.IndexFunc(h.files, func(f *file) bool { return f.path.Key() == p.Key() })
	return h.files[i]
}

// begin follows a file from a text on.
func (r *Reviews) begin(f *file, c Change) {
	from := c.Old
	r.mu.Lock()
	r.tracks++
	id := r.tracks
	r.mu.Unlock()
	begin := ledger.Entry{Do: ledger.DoBegin, Track: id, Path: f.path.Key(), Sums: ledger.SumsOf(from.String())}
	f.track = ledger.NewTrack(id, begin.Path, begin.Sums)
	if c.Action == Created {
		f.track.Absent, begin.Marks = true, &ledger.Marks{Path: begin.Path, Absent: true}
	}
	r.record(f, begin)
	f.text, f.known = from, true
}

// take takes note of what the change did to the text, and to the file.
func (r *Reviews) take(f *file, c Change) {
	t := f.track
	if _, good := t.Replacements(c.Undone); len(c.Undone) > 0 && len(good) == len(c.Undone) {
		_ = r.do(f, ledger.Entry{Do: ledger.DoUndo, Parts: c.Undone})
		if !c.Old.FinalNewline() || !c.Fresh.FinalNewline() { // a line may have got an end
			f.known = false
			_ = r.advance(f, c.Fresh, ledger.Origin{Kind: ledger.Editor, Time: c.By.Time})
		}
		f.text, f.known = c.Fresh, true
	} else {
		_ = r.advance(f, c.Fresh, c.By)
	}
	f.open = f.open && c.Open
	f.hash, t.Absent = c.FreshHash, c.Action == Deleted
	mine := c.By.Kind == ledger.Agent && len(c.Undone) == 0
	switch c.Action {
	case Created:
		t.Created, t.Gone, f.gone = mine && !t.Gone, false, nil
	case Deleted:
		t.Gone, f.gone = mine && !t.Created, c.Gone
		if t.Created { // made by an agent and deleted again: nothing is left of it
			_ = r.do(f, ledger.Entry{Do: ledger.DoKeep})
		}
	}
}

// move gives the file its new name. What was followed by that name is gone.
func (h *Hold) move(f *file, c Change) *file {
	t := f.track
	switch from := cmp.Or(t.From, c.Path.Key()); {
	case t.Created:
	case from == c.To.Key():
		t.From = ""
	case c.By.Kind == ledger.Agent:
		t.From = from
	}
	to := h.file(c.To)
	if to.track != nil {
		h.reviews.record(to, ledger.Entry{Do: ledger.DoEnd, Track: to.track.ID})
	}
	t.Path = c.To.Key()
	to.track, to.text, to.known, to.hash, to.gone = t, f.text, f.known, f.hash, nil
	f.track, f.gone = nil, nil
	f.forgetText()
	return to
}
