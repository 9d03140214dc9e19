package syntax

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestSpelling: what a grammar does not know is replaced by as many bytes,
// only where it stands for itself.
func TestSpelling(t *testing.T) {
	for _, c := range []struct {
		s          Spelling
		text, want string
	}{
		{Spelling{Now: "<const>"}, "local x <const> = 1", "local x         = 1"},
		{Spelling{Now: "---", Then: "--"}, "---- x --- y", "-- - x --  y"},
		{Spelling{Now: "\nusing ", Then: "const"}, "using x\ny using z\nusing", "const x\ny using z\nusing"},
		{Spelling{Now: "a"}, "", ""},
	} {
		src := []byte(c.text)
		got, _ := c.s.replaceIn(src, false)
		if string(got) != c.want || len(got) != len(src) {
			t.Errorf("%q in %q: %q, want %q", c.s.Now, c.text, got, c.want)
		}
		if string(src) != c.text {
			t.Errorf("%q: the text itself became %q", c.text, src)
		}
	}
}

// TestFrame: places in a text with its frame are places in the text, and what
// lies in the frame is at its borders.
func TestFrame(t *testing.T) {
	f := Frame{Before: "begin\n", After: "\nend"}
	for _, c := range [][4]int{{0, 0, 0, 0}, {0, 13, 0, 3}, {6, 9, 0, 3}, {7, 8, 1, 2}, {10, 13, 3, 3}} {
		s := f.inText(spanAt(c[0], c[1]), 3)
		if s != spanAt(c[2], c[3]) {
			t.Errorf("%v: %v", c, s)
		}
	}
}

func spanAt(start, end int) text.Span { return text.Span{Start: start, End: end} }
