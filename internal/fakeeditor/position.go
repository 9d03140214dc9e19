package fakeeditor

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Position is an LSP position: both parts count from 0, Character in the
// units that were negotiated.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is an LSP range, half open.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Point is a place as a person says it: line and column count from 1, columns
// in characters.
type Point struct{ Line, Column int }

// Units of Position.Character.
const (
	UTF8  = "utf-8"
	UTF16 = "utf-16"
	UTF32 = "utf-32"
)

// Line rules: which bytes end a line.
const (
	AnyLineEnd = "any" // LF, CRLF and a lone CR, as the specification says
	OnlyLF     = "lf"  // a CR is a character of its line, as in Neovim
)

// coordinates is how an editor counts.
type coordinates struct{ units, lines string }

// lineEnd returns where the content of the line that starts at from ends, and
// where the next line starts; there is none when both are equal.
func (c coordinates) lineEnd(text string, from int) (content, next int) {
	set := "\r\n"
	if c.lines == OnlyLF {
		set = "\n"
	}
	i := strings.IndexAny(text[from:], set)
	if i < 0 {
		return len(text), len(text)
	}
	content = from + i
	if strings.HasPrefix(text[content:], "\r\n") {
		return content, content + 2
	}
	return content, content + 1
}

func (c coordinates) width(r rune) int {
	switch {
	case c.units == UTF8:
		return utf8.RuneLen(r)
	case c.units == UTF16 && r > 0xffff:
		return 2
	}
	return 1
}

// offset returns the byte offset that p names in text, clamped as the
// specification says, and whether p named a place exactly.
func (c coordinates) offset(text string, p Position) (off int, exact bool) {
	start, line := 0, 0
	for ; line < p.Line; line++ {
		content, next := c.lineEnd(text, start)
		if content == next {
			return len(text), false
		}
		start = next
	}
	content, _ := c.lineEnd(text, start)
	col := 0
	for i, r := range text[start:content] {
		if col >= p.Character {
			return start + i, col == p.Character
		}
		if col+c.width(r) > p.Character {
			return start + i, false
		}
		col += c.width(r)
	}
	return content, col == p.Character
}

// position is the inverse of offset; off must be a character's start.
func (c coordinates) position(text string, off int) Position {
	start, line := 0, 0
	for {
		content, next := c.lineEnd(text, start)
		if content == next || off < next {
			break
		}
		start, line = next, line+1
	}
	content, _ := c.lineEnd(text, start)
	col := 0
	for _, r := range text[start:min(off, content)] {
		col += c.width(r)
	}
	return Position{Line: line, Character: col}
}

// pointOffset returns the byte offset of a person's place in text. Lines and
// columns beyond the text are mistakes of the test, so they are errors.
func pointOffset(text string, p Point) (int, error) {
	human := coordinates{UTF32, AnyLineEnd}
	off, exact := human.offset(text, Position{p.Line - 1, p.Column - 1})
	if p.Line < 1 || p.Column < 1 || !exact {
		return 0, fmt.Errorf("the text has no place %d:%d", p.Line, p.Column)
	}
	return off, nil
}
