package outline

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestLinesAreThoseOfTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString([]string{"a", "é", "\n", "\r", "\r\n"}[r.IntN(5)])
		}
		s := b.String()
		lines, c := linesOf([]byte(s)), text.New(s)
		for o := range len(s) {
			if have, want := lines.at(o), c.LineAt(o)+1; have != want {
				t.Fatalf("byte %d of %q is in line %d, not %d", o, s, want, have)
			}
		}
	}
}
