package text

import (
	"strings"
	"testing"
)

func TestOffsetAtClampsAsLSPSays(t *testing.T) {
	const (
		emoji = "a😀b\n"            // 1 + 4 + 1 bytes, 1 + 2 + 1 UTF-16 units
		wide  = "e\u0301世\r\nx"    // 1 + 2 + 3 bytes, one unit each
		ends  = "ab\r\ncd\ref\ngh" // all three line ends
		past  = ^uint32(0)         // a column or line that no text has
	)
	utf16, utf8, utf32 := Coord{Encoding: UTF16}, Coord{Encoding: UTF8}, Coord{Encoding: UTF32}
	lf := Coord{Lines: OnlyLF}
	cases := []struct {
		name  string
		text  string
		coord Coord
		at    Position
		want  Offset
	}{
		{"a column in UTF-16 units", emoji, utf16, Position{0, 3}, 5},
		{"between two surrogates is before them", emoji, utf16, Position{0, 2}, 1},
		{"a column in bytes", emoji, utf8, Position{0, 5}, 5},
		{"a byte inside a character is its start", emoji, utf8, Position{0, 3}, 1},
		{"a column in code points", emoji, utf32, Position{0, 2}, 5},
		{"combining marks are characters of their own", wide, utf16, Position{0, 1}, 1},
		{"wide characters of the BMP are one unit", wide, utf16, Position{0, 3}, 6},
		{"a column at the line's end", ends, utf16, Position{0, 2}, 2},
		{"a column past the line's end is before its CRLF", ends, utf16, Position{0, 3}, 2},
		{"far past it too", ends, utf16, Position{0, past}, 2},
		{"a lone CR ends a line", ends, utf16, Position{2, 1}, 8},
		{"a column past a line that a CR ends", ends, utf16, Position{1, 9}, 6},
		{"a column past a line that an LF ends", ends, utf16, Position{2, 9}, 9},
		{"a column past the last line", ends, utf16, Position{3, 9}, 12},
		{"a line past the last is the text's end", ends, utf16, Position{4, 0}, 12},
		{"far past it too", ends, utf16, Position{past, past}, 12},
		{"the line after a final line end", "a\n", utf16, Position{1, 0}, 2},
		{"a column there", "a\n", utf16, Position{1, 7}, 2},
		{"a line after that", "a\n", utf16, Position{2, 0}, 2},
		{"the empty text", "", utf16, Position{0, 0}, 0},
		{"a line of the empty text", "", utf32, Position{1, 1}, 0},
		{"only LF: a CR is a character", ends, lf, Position{0, 3}, 3},
		{"only LF: the line reaches to its LF", ends, lf, Position{0, 9}, 3},
		{"only LF: a lone CR ends no line", ends, lf, Position{1, 5}, 9},
		{"only LF: a line that CRs alone would make", ends, lf, Position{2, 1}, 11},
		{"only LF: lines past the last", ends, lf, Position{3, 0}, 12},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := New(c.text).OffsetAt(c.at, c.coord); got != c.want {
				t.Errorf("OffsetAt(%v) of %q = %d; want %d", c.at, c.text, got, c.want)
			}
		})
	}
}

func TestPositionAt(t *testing.T) {
	cases := []struct {
		name  string
		text  string
		coord Coord
		at    Offset
		want  Position
	}{
		{"before the text", "ab", Coord{}, -4, Position{0, 0}},
		{"past the text", "ab\n", Coord{}, 40, Position{1, 0}},
		{"after an emoji, UTF-16", "😀x", Coord{}, 4, Position{0, 2}},
		{"after an emoji, UTF-8", "😀x", Coord{Encoding: UTF8}, 4, Position{0, 4}},
		{"after an emoji, UTF-32", "😀x", Coord{Encoding: UTF32}, 4, Position{0, 1}},
		{"inside an emoji", "x😀", Coord{}, 3, Position{0, 1}},
		{"inside an emoji, UTF-8", "x😀", Coord{Encoding: UTF8}, 3, Position{0, 1}},
		{"between CR and LF is the line's end", "ab\r\nc", Coord{}, 3, Position{0, 2}},
		{"only LF: between CR and LF", "ab\r\nc", Coord{Lines: OnlyLF}, 3, Position{0, 3}},
		{"after a lone CR", "ab\rc", Coord{}, 3, Position{1, 0}},
		{"only LF: after a lone CR", "ab\rc", Coord{Lines: OnlyLF}, 3, Position{0, 3}},
		{"LF before CR ends two lines", "a\n\rb", Coord{}, 3, Position{2, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := New(c.text).PositionAt(c.at, c.coord); got != c.want {
				t.Errorf("PositionAt(%d) of %q = %v; want %v", c.at, c.text, got, c.want)
			}
		})
	}
}

// TestLongLine is about a line over many chunks, where positions come from
// the summaries alone.
func TestLongLine(t *testing.T) {
	const pieces = 100_000
	s := "x\r\n" + strings.Repeat("a😀é", pieces) + "\r\ny"
	text := New(s)
	perPiece := map[PositionEncoding]int{UTF16: 4, UTF8: 7, UTF32: 3}
	for _, c := range coords() {
		for _, n := range []int{0, 1, 777, pieces / 2, pieces - 1, pieces} {
			p := Position{1, uint32(n * perPiece[c.Encoding])}
			o := 3 + 7*n
			if got := text.OffsetAt(p, c); got != o {
				t.Errorf("OffsetAt(%v, %v) = %d; want %d", p, c, got, o)
			}
			if got := text.PositionAt(o, c); got != p {
				t.Errorf("PositionAt(%d, %v) = %v; want %v", o, c, got, p)
			}
		}
		end := 3 + 7*pieces
		if c.Lines == OnlyLF {
			end++
		}
		if got := text.OffsetAt(Position{1, 1 << 30}, c); got != end {
			t.Errorf("OffsetAt past the long line, %v = %d; want %d", c, got, end)
		}
	}
}

func TestNamesOfCoords(t *testing.T) {
	for _, e := range []PositionEncoding{UTF16, UTF8, UTF32} {
		if got, ok := ParsePositionEncoding(e.String()); !ok || got != e {
			t.Errorf("ParsePositionEncoding(%q) = %v, %v", e, got, ok)
		}
	}
	for _, r := range []LineRule{AnyLineEnd, OnlyLF} {
		if got, ok := ParseLineRule(r.String()); !ok || got != r {
			t.Errorf("ParseLineRule(%q) = %v, %v", r, got, ok)
		}
	}
	if _, ok := ParsePositionEncoding("utf-7"); ok {
		t.Error("ParsePositionEncoding takes utf-7")
	}
	if _, ok := ParseLineRule("cr"); ok {
		t.Error("ParseLineRule takes cr")
	}
}
