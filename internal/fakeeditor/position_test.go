package fakeeditor

import "testing"

func TestOffset(t *testing.T) {
	const text = "a\u00e9\U0001F600z\r\nb\rc\n" // bytes: a0 é1 😀3 z7 CR8 LF9 b10 CR11 c12 LF13
	tests := []struct {
		name         string
		units, lines string
		line, char   int
		want         int
		exact        bool
	}{
		{"start", UTF16, AnyLineEnd, 0, 0, 0, true},
		{"utf-8 counts bytes", UTF8, AnyLineEnd, 0, 7, 7, true},
		{"utf-16 counts two for an emoji", UTF16, AnyLineEnd, 0, 4, 7, true},
		{"utf-32 counts characters", UTF32, AnyLineEnd, 0, 3, 7, true},
		{"inside a surrogate pair", UTF16, AnyLineEnd, 0, 3, 3, false},
		{"inside a utf-8 sequence", UTF8, AnyLineEnd, 0, 2, 1, false},
		{"line's end", UTF16, AnyLineEnd, 0, 5, 8, true},
		{"past the line's end", UTF16, AnyLineEnd, 0, 6, 8, false},
		{"after CRLF", UTF16, AnyLineEnd, 1, 0, 10, true},
		{"after a lone CR", UTF16, AnyLineEnd, 2, 0, 12, true},
		{"a lone CR is a character", UTF16, OnlyLF, 1, 2, 12, true},
		{"a CR before LF is a character", UTF16, OnlyLF, 0, 6, 9, true},
		{"behind the last line end", UTF16, AnyLineEnd, 3, 0, 14, true},
		{"past the last line", UTF16, AnyLineEnd, 4, 0, 14, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := coordinates{tt.units, tt.lines}
			got, exact := c.offset(text, Position{tt.line, tt.char})
			if got != tt.want || exact != tt.exact {
				t.Errorf("offset = %d, %v; want %d, %v", got, exact, tt.want, tt.exact)
			}
			if back := c.position(text, got); exact && back != (Position{tt.line, tt.char}) {
				t.Errorf("position(%d) = %v", got, back)
			}
		})
	}
}

func TestPointOutsideTextIsAnError(t *testing.T) {
	for _, p := range []Point{{0, 1}, {1, 0}, {1, 4}, {3, 1}} {
		if off, err := pointOffset("ab\ncd", p); err == nil {
			t.Errorf("%v is %d, want an error", p, off)
		}
	}
	if off, err := pointOffset("\u00e9b\ncd", Point{1, 2}); off != 2 || err != nil {
		t.Errorf("second character of é: %d, %v", off, err)
	}
}
