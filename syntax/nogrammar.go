//go:build !cgo

package syntax

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Without cgo there are no grammars: all structure is by line patterns.

// HasGrammar tells that texts in the language are parsed.
func (l *Language) HasGrammar() bool { return false }

// Tree is the parse of a text. There is none.
type Tree struct{}

// Weight returns about how many bytes of memory the tree takes.
func (t *Tree) Weight() int { return 0 }

// Close frees the tree.
func (t *Tree) Close() {}

// Trim does nothing: there are no trees.
func Trim() {}

// Blocks returns the extents of nodes on several lines.
func (t *Tree) Blocks() []text.Span { return nil }

// Around returns the extents of the nodes around a place.
func (t *Tree) Around(text.Offset) []text.Span { return nil }

func (t *Tree) next(context.Context, *Language, text.Text, []byte) (*Tree, string) {
	return nil, "this build has no grammars"
}

func (t *Tree) show(*Language, text.Text, []byte) masked { return masked{} }

func parse(context.Context, *Language, text.Text, masked, *Tree) (*Tree, string) { return nil, "" }

func (t *Tree) isOf(*Language) bool { return false }

func (t *Tree) definitions(context.Context, []byte, *Tree) Result { return Result{} }
