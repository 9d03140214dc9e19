package text

// Offset is a 0-based byte offset into a text.
type Offset = int

// Span is the range of bytes [Start, End) of a text, half open.
type Span struct{ Start, End Offset }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// within returns s with both ends clamped to [0, size] and its end not before
// its start.
func (s Span) within(size int) Span {
	s.Start = min(max(s.Start, 0), size)
	s.End = min(max(s.End, s.Start), size)
	return s
}
