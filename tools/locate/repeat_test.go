package locate

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Lines that repeat are compared as often as there are of them in the one times
// in the other, unless somebody counts.
func TestLocateEndsOnRepetition(t *testing.T) {
	fresh := ""
	hay := text.New(strings.Repeat("\ta\n", 300_000))
	for _, old := range []string{strings.Repeat("a\n", 20_000) + "b", strings.Repeat("  a\n", 20_000) + "  b", "x a\n" + strings.Repeat("  a\n", 20_000) + "  b"} {
		_, _, err := Edits(t.Context(), &Haystack{Text: hay}, []Item{{OldText: &old, NewText: &fresh}})
		if fault.KindOf(err) != fault.TextNotFound {
			t.Errorf("got %v", err)
		}
	}
}
