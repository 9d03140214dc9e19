package syntax

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Shown is a text that is ready for the library: all that is left is its parse.
// It is the floor that benchmarks hold the rest against.
type Shown struct {
	language *Language
	text     text.Text
	view     view
	earlier  *Tree
}

// Show makes a text ready, with what the tree of an earlier one spares, which
// may be nil and stays the caller's.
func Show(l *Language, t text.Text, src []byte, earlier *Tree) Shown {
	return Shown{l, t, earlier.show(l, t, src), earlier}
}

// Parse does what the library does of [Reparse], and nothing else.
func (s Shown) Parse() *Tree {
	tree, _ := parse(context.Background(), s.language, s.text, s.view, s.earlier)
	return tree
}
