package locate

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
		for _, form := range []flatForm{{}, {cr: true}, {trimmed: true}, {cr: true, trimmed: true}} {
			f, blanks := flatten(s, form), form.trimmed
			for i := range len(f.text) {
				at := f.origin(i)
				if f.text[i] != '\n' && f.text[i] != '\r' && s[at] != f.text[i] {
					t.Fatalf("%q (blanks %v): byte %d of %q comes from %d", s, blanks, i, f.text, at)
				}
				if end := f.origin(i + 1); end <= at {
					t.Fatalf("%q (blanks %v): %d to %d of %q is empty", s, blanks, i, i+1, f.text)
				}
			}
			if f.origin(0) != 0 && !blanks {
				t.Fatalf("%q begins at %d", s, f.origin(0))
			}
			ends := strings.Count(f.text, "\r") + strings.Count(f.text, "\n")
			if lineEnds := strings.Count(s, "\r") + strings.Count(s, "\n") - strings.Count(s, "\r\n"); ends != lineEnds {
				t.Fatalf("%q (%v) became %q", s, form, f.text)
			}
			if !form.cr && strings.Contains(f.text, "\r") || blanks && (strings.Contains(f.text, " \n") || strings.Contains(f.text, "\t\n") || strings.Contains(f.text, " \r")) {
				t.Fatalf("%q (blanks %v) became %q", s, blanks, f.text)
			}
		}
	}
}

// TestLikestLineIsTheFirst of those that are as like.
func TestLikestLineIsTheFirst(t *testing.T) {
	if line, ok := likestLine([]string{"other", "color = 1", "color = 2"}, []string{"color = 3"}); line != 1 || !ok {
		t.Errorf("line %d, %v", line, ok)
	}
}
