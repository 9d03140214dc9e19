package syntax

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Show makes a text ready for the library, with what the tree of an earlier one
// spares, which may be nil and stays the caller's. The parse that it returns
// does what the library does of [Reparse], and nothing else.
func Show(l *Language, t text.Text, src []byte, earlier *Tree) (parseAlone func() *Tree) {
	v := earlier.show(l, t, src)
	return func() *Tree {
		tree, _ := parse(context.Background(), l, t, v, earlier)
		return tree
	}
}
