package outline

import (
	"bytes"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Source is the text that an outline was made of, as far as widening looks at
// it. Lines are 0-based here.
type Source interface {
	// Len returns the length in bytes.
	Len() int
	// LineStart returns where a line begins; Len() past the last line.
	LineStart(line int) text.Offset
	// LineAt returns the line that holds the byte at o.
	LineAt(o text.Offset) int
	// Append appends the bytes of s to dst.
	Append(dst []byte, s text.Span) []byte
}

// Window is a span of whole lines that may become wider.
type Window struct {
	text.Span
	// FreeStart lets the start move too, not only the end.
	FreeStart bool
	// MaxBytes is the most that the wider window may hold, MaxLines the most
	// lines that it may have gained.
	MaxBytes, MaxLines int
}

// Widening is a window after its ends were moved.
type Widening struct {
	text.Span
	// Kind is that of the definition at whose border the window ends now, or
	// "statement" or "blank line"; Name is that of the definition around its
	// old end. Both are empty when nothing was moved.
	Kind, Name string
	// Reason says why nothing was moved.
	Reason string
}

// Widen moves the ends of a window to the borders of the definitions that they
// lie in: of the outermost that fits, the end first. Where not even the
// innermost one ends in reach, the window ends with a statement, else at a
// blank line. Nothing that the window holds is lost.
//
// An end that is the end of some function, type or section already stays.
func (o *Outline) Widen(src Source, w Window) Widening {
	out := Widening{Span: w.Span}
	if w.Len() == 0 {
		out.Reason = "the window is empty"
		return out
	}
	m := mover{o, src, w}
	end := m.end()
	m.w.End, m.w.MaxLines = end.at, m.w.MaxLines-end.lines
	first := m.start()
	out.Span = text.Span{Start: first.at, End: end.at}
	switch {
	case end.lines > 0:
		out.Kind, out.Name = end.kind, end.name
	case first.lines > 0:
		out.Kind, out.Name = first.kind, first.name
	default:
		out.Reason = end.reason
	}
	return out
}

// border is where an end of a window is moved to.
type border struct {
	at    text.Offset
	lines int // that the window gains
	kind  string
	name  string
	// reason says why lines is 0
	reason string
}

type mover struct {
	o   *Outline
	src Source
	w   Window
}

// end returns where the window's end goes.
func (m *mover) end() border {
	stay := border{at: m.w.End}
	last := m.src.LineAt(m.w.End - 1)
	around := m.around(m.w.End)
	switch {
	case m.w.End >= m.src.Len():
		stay.reason = "the window ends where the text ends"
		return stay
	case around < 0:
		stay.reason = "the window ends outside of definitions"
		return stay
	case m.endsOn(last, around):
		stay.reason = "the window ends where a definition ends"
		return stay
	}
	best := stay
	for i := around; i >= 0; i = m.o.Symbols[i].Parent {
		s := &m.o.Symbols[i]
		lines := s.EndLine - 1 - last
		if lines <= 0 || lines > m.w.MaxLines {
			break
		}
		at := m.src.LineStart(s.EndLine)
		if at-m.w.Start > m.w.MaxBytes {
			break
		}
		best = border{at, lines, s.Kind.String(), s.Name, ""}
	}
	if best.lines > 0 {
		return best
	}
	return m.endInside(last, &m.o.Symbols[around])
}

// around returns the innermost symbol that begins before a place, at which a
// line begins, and ends after it; -1 is none.
func (m *mover) around(at text.Offset) int {
	i := m.o.At(at)
	for i >= 0 && m.o.Symbols[i].Span.Start >= at {
		i = m.o.Symbols[i].Parent
	}
	return i
}

// endsOn tells that a definition inside of the one around ends on a line.
// Details do not count: a struct does not end with each of its fields.
func (m *mover) endsOn(line, around int) bool {
	for i := m.o.before(m.w.End); i >= 0 && i != around; i = m.o.Symbols[i].Parent {
		s := &m.o.Symbols[i]
		if s.EndLine == line+1 && !s.Kind.IsDetail() {
			return true
		}
	}
	return false
}

// endInside returns the best end inside of a definition that is too large.
func (m *mover) endInside(last int, around *Symbol) border {
	reach := min(m.w.Start+m.w.MaxBytes, m.src.LineStart(last+1+m.w.MaxLines))
	if at := m.statementEnd(reach); at > 0 {
		return border{at, m.src.LineAt(at-1) - last, "statement", around.Name, ""}
	}
	stay := border{at: m.w.End}
	if m.statementEndsOn(last) {
		stay.reason = "the window ends where a statement ends"
		return stay
	}
	switch at := m.blankLine(last, reach); {
	case at > m.w.End:
		return border{at, m.src.LineAt(at-1) - last, "blank line", around.Name, ""}
	case at > 0:
		stay.reason = "the window ends with a blank line"
	default:
		stay.reason = "nothing in " + around.Kind.String() + " " + around.Name + " ends in reach"
	}
	return stay
}

// statementEnd returns the end of the line on which the outermost statement
// around the window's end ends, no further than reach. Where only larger ones
// are around, it is the next statement that counts. 0 is none.
func (m *mover) statementEnd(reach text.Offset) text.Offset {
	all := m.o.statements
	i, _ := slices.BinarySearchFunc(all, m.w.End+1, func(s text.Span, at int) int { return s.End - at })
	best, next := 0, 0
	for _, s := range all[i:] {
		at := m.src.LineStart(m.src.LineAt(s.End-1) + 1)
		if at > reach {
			break
		}
		if s.Start < m.w.End {
			best = at
		} else if next == 0 {
			next = at
		}
	}
	if best == 0 && !m.statementEndsOn(m.src.LineAt(m.w.End-1)) {
		return next
	}
	return best
}

// statementEndsOn tells that a statement ends on the last line of the window.
func (m *mover) statementEndsOn(line int) bool {
	all := m.o.statements
	i, _ := slices.BinarySearchFunc(all, m.w.End+1, func(s text.Span, at int) int { return s.End - at })
	return i > 0 && all[i-1].End > m.src.LineStart(line)
}

// blankLine returns the end of the next blank line, no further than reach; the
// window's end when its last line is blank. 0 is none.
func (m *mover) blankLine(last int, reach text.Offset) text.Offset {
	at := m.src.LineStart(last)
	b := m.src.Append(nil, text.Span{Start: at, End: reach})
	for len(b) > 0 {
		n := text.LineLen(b)
		at += n
		whole := at >= m.src.Len() || m.src.LineStart(m.src.LineAt(at)) == at
		if whole && len(bytes.TrimSpace(b[:n])) == 0 {
			return at
		}
		b = b[n:]
	}
	return 0
}

// start returns where the window's start goes: to that of the outermost
// definition that the window then holds to its end, else of the innermost one.
func (m *mover) start() border {
	best := border{at: m.w.Start}
	first := m.src.LineAt(m.w.Start)
	if !m.w.FreeStart || m.beginsOn(first) {
		return best
	}
	for i := m.around(m.w.Start); i >= 0; i = m.o.Symbols[i].Parent {
		s := &m.o.Symbols[i]
		lines := first - (s.StartLine - 1)
		complete := m.src.LineStart(s.EndLine) <= m.w.End
		if lines <= 0 || lines > m.w.MaxLines || best.lines > 0 && !complete {
			break
		}
		at := m.src.LineStart(s.StartLine - 1)
		if m.w.End-at > m.w.MaxBytes {
			break
		}
		best = border{at, lines, s.Kind.String(), s.Name, ""}
	}
	return best
}

// beginsOn tells that a function, type or section begins on a line.
func (m *mover) beginsOn(line int) bool {
	for i := m.o.before(m.w.Start) + 1; i < len(m.o.Symbols) && m.o.Symbols[i].StartLine == line+1; i++ {
		if !m.o.Symbols[i].Kind.IsDetail() {
			return true
		}
	}
	return false
}

var _ Source = text.Text{}
