package syntax

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// ParseAlone does of [Reparse] what the library does: it is the floor that
// benchmarks hold the rest against. It takes the earlier tree over.
func ParseAlone(l *Language, t text.Text, src []byte, earlier *Tree) *Tree {
	tree, _ := earlier.next(context.Background(), l, t, src)
	earlier.Close()
	return tree
}
