package text

import (
	"strings"
	"unicode/utf8"
)

// MaxLen is the largest size of a text in bytes, just short of 1 GiB. All that
// is counted of a text fits 32 bits, and so does every line and column.
const MaxLen = 1<<30 - 1

// Text is an immutable text: valid UTF-8, line endings as they are. The zero
// value is the empty text. A Text is one pointer, so copying it is taking a
// snapshot; it may be read by any number of goroutines.
//
// Do not compare texts with ==: see [Text.Same] and [Text.Equal].
type Text struct {
	root *ref // nil for the empty text
}

// New returns the text s, in chunks of its own: it does not hold on to s.
// Invalid bytes become U+FFFD, one for each byte. It panics when s is longer
// than [MaxLen].
func New(s string) Text {
	mustFit(len(s))
	s = validUTF8(s)
	mustFit(len(s))
	return standard().build(s)
}

// validUTF8 returns s with U+FFFD for each invalid byte.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// Len returns the length in bytes.
func (t Text) Len() int { return int(t.summary().bytes) }

// UTF16Len returns the length in UTF-16 code units.
func (t Text) UTF16Len() int { return int(t.summary().utf16) }

// Breaks returns the number of line ends: LF, CRLF and lone CR.
func (t Text) Breaks() int { return t.summary().breaks(AnyLineEnd) }

// Lines returns the number of lines. A line end at the text's end starts no
// further line, and the empty text has none.
func (t Text) Lines() int {
	sum := t.summary()
	lines := sum.breaks(AnyLineEnd)
	if sum.bytes > 0 && !sum.endsLine() {
		lines++
	}
	return lines
}

// FinalNewline tells that the text ends with a line end.
func (t Text) FinalNewline() bool { return t.summary().endsLine() }

// Same tells that t and u are the very same text in memory, neither made by
// an edit of the other. Texts that are not the same may still be [Text.Equal].
func (t Text) Same(u Text) bool { return t.root == u.root }

// summary returns the counts of the whole text; the caller does not change
// them.
func (t Text) summary() *summary {
	if t.root == nil {
		return &summary{}
	}
	return &t.root.sum
}
