package review

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Status says what agents made of a file.
type Status string

// The statuses.
const (
	StatusChanged Status = "changed"
	StatusCreated Status = "created"
	StatusDeleted Status = "deleted"
	StatusMoved   Status = "moved"
)

// File is one with something pending.
type File struct {
	Path   workspace.Path
	Status Status
	From   string // key of the path before, of a moved file
	// Document is the open document whose text the hunks are of; nil where the file
	// is not open, or its text is just changing.
	Document *buffers.Document
	Hunks    []Hunk
}

// Hunk is a pending one.
type Hunk struct {
	ID string
	// Start and End are its lines, which end at LF: half open, from 0.
	Start, End int
	Removed    string
	Clients    []string
	Edits      []string
	Time       time.Time
	Typed      bool
}

// List returns what is pending, of one file where p is not nil; at most limit
// hunks, and how many more there are.
func (r *Reviews) List(ctx context.Context, p *workspace.Path, limit int) (files []File, more int) {
	for _, f := range r.chosen(p) {
		file, ok := r.list(ctx, f)
		if !ok {
			continue
		}
		if n := len(file.Hunks) - limit; n > 0 && p == nil {
			file.Hunks, more = file.Hunks[:limit], more+n
		}
		limit -= len(file.Hunks)
		files = append(files, file)
	}
	return files, more
}

// chosen returns the file of a path, or all.
func (r *Reviews) chosen(p *workspace.Path) []*file {
	if p == nil {
		return r.all()
	}
	if f := r.followed(p.Key()); f != nil {
		return []*file{f}
	}
	return nil
}

// Those returns which of ids name hunks of the file.
func (f File) Those(ids []string) (mine []string) {
	for _, id := range ids {
		if slices.ContainsFunc(f.Hunks, func(h Hunk) bool { return h.ID == id }) {
			mine = append(mine, id)
		}
	}
	return mine
}

func (r *Reviews) list(ctx context.Context, f *file) (File, bool) {
	free := f.tryLock(ctx)
	if !free {
		return File{}, false
	}
	defer f.unlock()
	if f.track == nil || !f.track.Pending() {
		return File{}, false
	}
	d, there := r.look(ctx, f)
	r.news(f)
	if !there || !f.track.Pending() {
		return File{}, false
	}
	out := File{Path: f.path, Status: f.status(), From: f.track.From, Document: d}
	for _, h := range f.track.Hunks() {
		out.Hunks = append(out.Hunks, shown(h))
	}
	return out, true
}

func (f *file) status() Status {
	switch t := f.track; {
	case t.Gone:
		return StatusDeleted
	case t.Created:
		return StatusCreated
	case t.From != "":
		return StatusMoved
	}
	return StatusChanged
}

func shown(h ledger.Hunk) Hunk {
	var removed strings.Builder
	for _, r := range h.Removed {
		removed.WriteString(r.Text)
	}
	return Hunk{
		ID: h.ID, Start: h.At, End: h.At + h.Len, Removed: removed.String(),
		Clients: h.Clients, Edits: h.Edits, Time: h.Time, Typed: h.Typed,
	}
}

// Run is lines, half open, from 0, that one origin wrote.
type Run struct {
	Start, End int
	By         ledger.Origin
}

// Blame returns who wrote the lines of a file, as far as that is known, and the
// document whose lines they are, where it is open.
func (r *Reviews) Blame(ctx context.Context, p workspace.Path) ([]Run, *buffers.Document) {
	f := r.followed(p.Key())
	if f == nil || !f.tryLock(ctx) {
		return nil, nil
	}
	defer f.unlock()
	if f.track == nil {
		return nil, nil
	}
	d, there := r.look(ctx, f)
	if !there {
		return nil, nil
	}
	var runs []Run
	for i, l := range f.track.Lines() {
		n := len(runs) - 1
		switch {
		case l.By == nil || l.By.Kind == "":
		case n >= 0 && runs[n].End == i && runs[n].By == *l.By:
			runs[n].End++
		default:
			runs = append(runs, Run{i, i + 1, *l.By})
		}
	}
	return runs, d
}

// Choice says which hunks are meant: those of IDs, or what lies in lines, half
// open, from 0; all of the file where both are nil.
type Choice struct {
	IDs   []string
	Lines *[2]int
	// Since is a turn: all that agents changed from it on is meant, accepted or not;
	// 0 for what is pending.
	Since int
}

// track returns the one whose hunks are meant; nil where there are none.
func (c Choice) track(f *file) *ledger.Track {
	if f.track == nil || c.Since == 0 {
		return f.track
	}
	return f.track.Since(c.Since)
}

// parts returns what of a file's hunks is meant, and the ids that name none.
func (c Choice) parts(t *ledger.Track) (parts []ledger.Part, missing []string) {
	switch {
	case c.Lines != nil:
		return t.PartsIn(c.Lines[0], c.Lines[1]), nil
	case c.IDs == nil:
		for _, h := range t.Hunks() {
			parts = append(parts, h.Whole())
		}
		return parts, nil
	}
	for _, id := range c.IDs {
		if h := t.Hunk(id); h != nil {
			parts = append(parts, h.Whole())
		} else {
			missing = append(missing, id)
		}
	}
	return parts, missing
}

// Keep accepts what is chosen. It returns how many hunks that was.
func (r *Reviews) Keep(ctx context.Context, p workspace.Path, c Choice) (kept int) {
	f := r.followed(p.Key())
	if f == nil || !f.tryLock(ctx) {
		return 0
	}
	defer f.unlock()
	if f.track == nil {
		return 0
	}
	if c.IDs == nil && c.Lines == nil {
		kept = max(len(f.track.Hunks()), 1)
		_ = r.do(f, ledger.Entry{Do: ledger.DoKeep})
		r.news(f)
		return kept
	}
	if c.Lines != nil {
		r.look(ctx, f)
	}
	parts, _ := c.parts(f.track)
	if len(parts) > 0 {
		_ = r.do(f, ledger.Entry{Do: ledger.DoKeep, Parts: parts})
		r.news(f)
	}
	return len(parts)
}

// Undoing is what taking hunks back does to a file.
type Undoing struct {
	Parts   []ledger.Part
	Missing []string // ids that name no hunk any more
	// Lines are what becomes of the text, in order.
	Lines []ledger.Replacement
	// Empties: nothing of the text is left, and it was an agent that made the file.
	Empties bool
	// Gone is what brings the file back, where an agent deleted it; nil where it is
	// there. From is the key of the path from which an agent moved it, where that is
	// taken back, too.
	Gone *Gone
	From string

	choice Choice
}

// Undone are the parts of pending hunks that are taken back.
func (u Undoing) Undone() []ledger.Part {
	if u.choice.Since > 0 {
		return nil
	}
	return u.Parts
}

// Fits reports whether u is what is to be done to a file that has that whole text.
func (r *Reviews) Fits(ctx context.Context, p workspace.Path, u Undoing, whole text.Text) bool {
	f := r.followed(p.Key())
	if f == nil || !f.tryLock(ctx) {
		return false
	}
	defer f.unlock()
	if f.track == nil {
		return false
	}
	if _, there := r.look(ctx, f); !there || !f.has(whole) {
		return false
	}
	t := u.choice.track(f)
	if t == nil {
		return false
	}
	now, _ := t.Replacements(u.Parts)
	return slices.EqualFunc(now, u.Lines, func(a, b ledger.Replacement) bool {
		return a.At == b.At && a.Del == b.Del && slices.Equal(a.Lines, b.Lines)
	})
}

// Undoing returns what taking back what is chosen does to a file.
func (r *Reviews) Undoing(ctx context.Context, p workspace.Path, c Choice) (u Undoing) {
	f := r.followed(p.Key())
	if f == nil || !f.tryLock(ctx) {
		return u
	}
	defer f.unlock()
	if f.track == nil {
		return u
	}
	if _, there := r.look(ctx, f); !there {
		return u
	}
	t := c.track(f)
	if t == nil {
		return u
	}
	parts, missing := c.parts(t)
	u.choice, u.Missing = c, missing
	u.Lines, u.Parts = t.Replacements(parts)
	left := len(f.track.Lines())
	for _, l := range u.Lines {
		left += len(l.Lines) - l.Del
	}
	whole := c.IDs == nil && c.Lines == nil
	switch {
	case c.Since > 0:
		u.since(f, t, left == 0)
	default:
		u.Empties, u.Gone = left == 0 && t.Created && whole, f.gone
		if whole {
			u.From = t.From
		}
	}
	return u
}

// since says what is to become of the file as a whole that was then as t is.
func (u *Undoing) since(f *file, t *ledger.Track, empty bool) {
	switch {
	case f.track.Absent && t.Absent:
		u.Parts = nil
	case f.track.Absent:
		u.Gone = cmp.Or(f.gone, &Gone{Mode: 0o644, Text: true, Format: text.Format{Encoding: text.EncodingUTF8}})
	case t.Absent:
		u.Empties = empty
	case t.Path != f.path.Key():
		u.From = t.Path
	}
}
