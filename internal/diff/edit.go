package diff

import (
	"slices"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Edit replaces the bytes of Span, a span of some text, by New. An empty Span
// inserts, an empty New deletes.
type Edit struct {
	Span text.Span
	New  string
}

// Check reports whether edits is a list that [Apply] takes for t: spans within
// t and at its character borders, sorted by start, none overlapping another.
// Edits may touch, and inserts may share a place.
//
// Two overlapping edits are an overlapping_edits error that names both; any
// other violation is a mistake of this program and of kind internal.
func Check(t text.Text, edits []Edit) error {
	for i, e := range edits {
		if err := checkSpan(t, i, e.Span); err != nil {
			return err
		}
		if i == 0 {
			continue
		}
		prev := edits[i-1].Span
		if overlap(prev, e.Span) {
			return overlapError(t, i, prev, e.Span)
		}
		if e.Span.Start < prev.End {
			return fault.New(fault.Internal, "edits %d and %d are not sorted", i, i+1)
		}
	}
	return nil
}

// Apply returns t with all edits made. They all refer to t, not to each
// other's results; inserts at one place end up in their order in the list.
// It expects what [Check] accepts.
func Apply(t text.Text, edits []Edit) text.Text {
	for _, e := range slices.Backward(edits) {
		t = t.Replace(e.Span, e.New)
	}
	return t
}

func checkSpan(t text.Text, i int, s text.Span) error {
	switch {
	case s.Start < 0 || s.End < s.Start || s.End > t.Len():
		return fault.New(fault.Internal, "edit %d replaces bytes %d to %d of a text of %d bytes",
			i+1, s.Start, s.End, t.Len())
	case t.FloorChar(s.Start) != s.Start || t.FloorChar(s.End) != s.End:
		return fault.New(fault.Internal, "edit %d replaces bytes %d to %d and so splits a character",
			i+1, s.Start, s.End)
	}
	return nil
}

// overlap reports whether a and b share a byte, or one inserts inside the other.
func overlap(a, b text.Span) bool {
	return a.Start < b.End && b.Start < a.End
}

func overlapError(t text.Text, i int, a, b text.Span) error {
	la, lb := t.LineAt(a.Start)+1, t.LineAt(b.Start)+1
	return fault.New(fault.OverlappingEdits,
		"edit %d (from line %d, bytes %d to %d) and edit %d (from line %d, bytes %d to %d) change the same text",
		i, la, a.Start, a.End, i+1, lb, b.Start, b.End).
		Advise("Make one edit of the two, or narrow them until they no longer touch the same text.").
		With("edits", []map[string]int{
			{"edit": i, "line": la, "start_byte": a.Start, "end_byte": a.End},
			{"edit": i + 1, "line": lb, "start_byte": b.Start, "end_byte": b.End},
		})
}

// Minimal returns e without the text that it leaves as it is at its start and
// end, and false when it changes nothing. Applied to t, the result does what e
// does.
//
// The borders of the result lie between characters and never between a CR and
// the LF behind it, neither in t nor in the edited text: editors take a CRLF
// as one thing and cannot address its middle. Where e itself has such a border
// the result is wider than e by that CR or LF.
func Minimal(t text.Text, e Edit) (Edit, bool) {
	e = widen(t, e)
	old := t.Slice(e.Span)
	p := commonPrefix(old, e.New)
	for !isBorder(old, p) || !isBorder(e.New, p) {
		p--
	}
	s := commonSuffix(old[p:], e.New[p:])
	for !isBorder(old, len(old)-s) || !isBorder(e.New, len(e.New)-s) {
		s--
	}
	e.Span.Start += p
	e.Span.End -= s
	e.New = e.New[p : len(e.New)-s]
	return e, e.New != "" || e.Span.Len() > 0
}

// isBorder reports whether s may be cut at i.
func isBorder(s string, i int) bool {
	if i == 0 || i == len(s) {
		return true
	}
	return utf8.RuneStart(s[i]) && (s[i] != '\n' || s[i-1] != '\r')
}

// widen takes the neighbouring CR or LF into e where a border of e would lie
// inside a CRLF of t or of the edited text.
func widen(t text.Text, e Edit) Edit {
	before, after := byteAt(t, e.Span.Start-1), byteAt(t, e.Span.End)
	if before == '\r' && (byteAt(t, e.Span.Start) == '\n' || first(e.New, after) == '\n') {
		e.Span.Start--
		e.New = "\r" + e.New
	}
	if after == '\n' && (byteAt(t, e.Span.End-1) == '\r' || last(e.New, byteAt(t, e.Span.Start-1)) == '\r') {
		e.Span.End++
		e.New += "\n"
	}
	return e
}

// byteAt returns byte i of t when that is an ASCII character, and 0 otherwise,
// also outside of t.
func byteAt(t text.Text, i text.Offset) byte {
	if t.FloorChar(i) != i || t.FloorChar(i+1) != i+1 {
		return 0
	}
	return t.Slice(text.Span{Start: i, End: i + 1})[0]
}

func first(s string, otherwise byte) byte {
	if s == "" {
		return otherwise
	}
	return s[0]
}

func last(s string, otherwise byte) byte {
	if s == "" {
		return otherwise
	}
	return s[len(s)-1]
}
