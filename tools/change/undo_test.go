package change

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestInverse: edits and then their inverse leave a text as it was.
func TestInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		old := text.New(strings.Repeat("line\n", r.IntN(6)))
		var edits []diff.Edit
		for at := 0; at <= old.Len(); {
			start := at + r.IntN(old.Len()-at+1)
			end := start + r.IntN(old.Len()-start+1)
			edits = append(edits, diff.Edit{Span: text.Span{Start: start, End: end}, New: strings.Repeat("n", r.IntN(4))})
			if at = end + 1; r.IntN(3) == 0 {
				break
			}
		}
		fresh := diff.Apply(old, edits)
		back := inverse(old, edits)
		if err := diff.Check(fresh, back); err != nil {
			t.Fatalf("%q, %v: %v", old.String(), edits, err)
		}
		if got := diff.Apply(fresh, back); !got.Equal(old) {
			t.Fatalf("%q, %v: back comes %q", old.String(), edits, got.String())
		}
	}
}
