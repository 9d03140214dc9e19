package tools

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestFlattenedTextLeadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tokens := []string{"a", "b ", " ", "\t", "\n", "\r\n", "\r", "  \r\n", "é"}
	for range 2000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(tokens[r.IntN(len(tokens))])
		}
		s := b.String()
		for _, blanks := range []bool{false, true} {
			f := flatten(s, blanks)
			for i := range len(f.text) {
				at := f.origin(i)
				if f.text[i] != '\n' && s[at] != f.text[i] {
					t.Fatalf("%q (blanks %v): byte %d of %q comes from %d", s, blanks, i, f.text, at)
				}
				if end := f.origin(i + 1); end <= at {
					t.Fatalf("%q (blanks %v): %d to %d of %q is empty", s, blanks, i, i+1, f.text)
				}
			}
			if f.origin(0) != 0 && !blanks {
				t.Fatalf("%q begins at %d", s, f.origin(0))
			}
			if strings.Contains(f.text, "\r") || blanks && (strings.Contains(f.text, " \n") || strings.Contains(f.text, "\t\n")) {
				t.Fatalf("%q (blanks %v) became %q", s, blanks, f.text)
			}
		}
	}
}
