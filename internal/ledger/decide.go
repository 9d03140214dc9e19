package ledger

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Part is a hunk, or some of its lines: those from Start to before End, counted
// from the hunk's first. All stands for the whole hunk, also where it has no
// lines.
type Part struct {
	Hunk  string `json:"hunk"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Whole returns the part that is all of a hunk.
func (h *Hunk) Whole() Part { return Part{h.ID, 0, h.Len} }

// PartsIn returns what of the hunks lies in the lines from start to before end.
// A hunk without lines lies there where its place does.
func (t *Track) PartsIn(start, end int) []Part {
	var parts []Part
	for i := range t.hunks {
		h := &t.hunks[i]
		from, to := max(h.At, start), min(h.At+h.Len, end)
		if from < to || h.Len == 0 && start <= h.At && h.At <= end {
			parts = append(parts, Part{h.ID, from - h.At, max(to, from) - h.At})
		}
	}
	return parts
}

// removed returns which of the lines that were there before belong to a part: as
// many as it has lines, and to the hunk's end the rest.
func (h *Hunk) removed(p Part) (from, to int) {
	from, to = min(p.Start, len(h.Removed)), min(p.End, len(h.Removed))
	if p.End == h.Len {
		to = len(h.Removed)
	}
	return from, to
}

// fits reports whether a part is one of a hunk.
func (h *Hunk) fits(p Part) bool {
	return h != nil && 0 <= p.Start && p.Start <= p.End && p.End <= h.Len && (p.Start < p.End || h.Len == 0)
}

// Keep accepts parts. It returns how many there were; those whose hunk is gone
// are left out.
func (t *Track) Keep(parts []Part) (kept int) {
	for _, p := range parts {
		if t.cut(p) {
			kept++
		}
	}
	if len(t.hunks) == 0 {
		t.Created, t.Gone = false, false
	}
	return kept
}

// KeepAll accepts all that is pending, and that the file was made, moved or
// deleted.
func (t *Track) KeepAll() {
	t.hunks, t.Created, t.Gone, t.From = nil, false, false, ""
}

// cut takes a part out of its hunk, of which at most two are left.
func (t *Track) cut(p Part) bool {
	i := slices.IndexFunc(t.hunks, func(h Hunk) bool { return h.ID == p.Hunk })
	if i < 0 || !t.hunks[i].fits(p) {
		return false
	}
	h := t.hunks[i]
	from, to := h.removed(p)
	var left []Hunk
	if p.Start > 0 {
		before := h
		before.Len, before.Removed = p.Start, slices.Clip(h.Removed[:from])
		left = append(left, before)
	}
	if p.End < h.Len {
		after := h
		after.At, after.Len, after.Removed = h.At+p.End, h.Len-p.End, slices.Clip(h.Removed[to:])
		if p.Start > 0 {
			after.ID = t.newID()
		}
		left = append(left, after)
	}
	t.hunks = slices.Replace(t.hunks, i, i+1, left...)
	return true
}

// Replacement is what taking back a part does to the text: Del lines from At on
// become those of Lines.
type Replacement struct {
	At, Del int
	Lines   []string
}

// Replacements returns what taking parts back does, in order of the text, and the
// parts that it is of: those whose hunk is gone are left out.
func (t *Track) Replacements(parts []Part) ([]Replacement, []Part) {
	var list []Replacement
	var good []Part
	for i := range t.hunks {
		h := &t.hunks[i]
		for _, p := range parts {
			if p.Hunk != h.ID || !h.fits(p) {
				continue
			}
			from, to := h.removed(p)
			r := Replacement{At: h.At + p.Start, Del: p.End - p.Start}
			for _, line := range h.Removed[from:to] {
				r.Lines = append(r.Lines, line.Text)
			}
			if n := len(r.Lines); n > 0 && r.At+r.Del < len(t.lines) {
				r.Lines[n-1] = ended(r.Lines[n-1])
			}
			list, good = append(list, r), append(good, p)
		}
	}
	more := false
	for _, r := range slices.Backward(list) {
		if n := len(r.Lines); n > 0 {
			if more {
				r.Lines[n-1] = ended(r.Lines[n-1])
			}
			more = true
		}
	}
	return list, good
}

// ended returns a line with an end: there is another one behind it.
func ended(line string) string {
	if strings.HasSuffix(line, "\n") {
		return line
	}
	return line + "\n"
}

// Edits returns what makes replacements in the text that has the track's lines.
func Edits(t text.Text, list []Replacement) []diff.Edit {
	edits := make([]diff.Edit, 0, len(list))
	atEnd := false // an edit before is of the text's end
	for _, r := range list {
		e := diff.Edit{Span: text.Span{Start: LineStart(t, r.At), End: LineStart(t, r.At+r.Del)}, New: strings.Join(r.Lines, "")}
		if !atEnd && e.Span.Start == t.Len() && t.Len() > 0 && e.New != "" && !t.FinalNewline() {
			e.New = "\n" + e.New
		}
		atEnd = atEnd || e.Span.End == t.Len()
		edits = append(edits, e)
	}
	return edits
}

// Undo takes back parts of different hunks, or parts of one that do not overlap
// given in order: their lines become those that were there before, and of who
// wrote them.
func (t *Track) Undo(parts []Part) {
	list, good := t.Replacements(parts)
	for n, p := range slices.Backward(good) {
		i := slices.IndexFunc(t.hunks, func(h Hunk) bool { return h.ID == p.Hunk })
		h := t.hunks[i]
		from, to := h.removed(p)
		back := make([]Line, 0, to-from)
		for k, r := range h.Removed[from:to] {
			if text := list[n].Lines[k]; text != r.Text {
				r.Sum = SumOf(text)
			}
			back = append(back, r.Line)
		}
		t.cut(p)
		t.lines = slices.Replace(t.lines, h.At+p.Start, h.At+p.End, back...)
		for j := i; j < len(t.hunks); j++ {
			if t.hunks[j].At >= h.At+p.End {
				t.hunks[j].At += to - from - (p.End - p.Start)
			}
		}
	}
	if len(t.hunks) == 0 {
		t.Gone, t.Created = false, t.Created && len(t.lines) == 0
	}
}
