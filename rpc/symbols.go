package rpc

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// The structure of open documents by LSP's own requests, for editors in which
// nobody else gives it. They are there only where the setting lsp.symbols is
// on, and offered when it is at initialize.

// structured finds the open document that a request is about and gives its
// structure to use. A document that is not open has none.
func (r *request) structured(ctx context.Context, uri string, use func(*buffers.Document, *outline.Outline, *syntax.Tree)) error {
	if !r.gate.Settings().LSP.Symbols {
		return jsonrpc.ErrMethodNotFound
	}
	path, err := r.pathOf(uri)
	if err != nil {
		return jsonrpc.Errorf(jsonrpc.InvalidParams, "%s", err)
	}
	d := r.overlay.Get(path.Key())
	if d == nil {
		return nil
	}
	return r.outlines.Structure(ctx, d.Key(), languageOf(d), d.Text, func(o *outline.Outline, tree *syntax.Tree) { use(d, o, tree) })
}

// languageOf returns a document's language, which may be nil.
func languageOf(d *buffers.Document) *syntax.Language {
	head := d.Text.Append(nil, text.Span{End: min(d.Text.Len(), syntax.HeadBytes)})
	return syntax.Choose(d.LanguageID, d.Path.Rel, head)
}

func (s *server) coord(d *buffers.Document) text.Coord {
	return text.Coord{Encoding: s.client.encoding, Lines: d.Lines()}
}

// rangeOf returns a span of a document's text as LSP writes it.
func rangeOf(d *buffers.Document, c text.Coord, span text.Span) protocol.Range {
	start, end := d.Text.PositionAt(span.Start, c), d.Text.PositionAt(span.End, c)
	return protocol.Range{
		Start: protocol.Position{Line: start.Line, Character: start.Character},
		End:   protocol.Position{Line: end.Line, Character: end.Character},
	}
}

func (r *request) documentSymbol(ctx context.Context, in *protocol.DocumentSymbolParams) (any, error) {
	symbols := []protocol.DocumentSymbol{}
	err := r.structured(ctx, string(in.TextDocument.URI), func(d *buffers.Document, o *outline.Outline, _ *syntax.Tree) {
		symbols, _ = r.symbolTree(d, o.Symbols, 0)
	})
	return symbols, err
}

// symbolTree makes a tree of the symbols from the first on that are as deep as
// it or deeper, and returns how many these were.
func (s *server) symbolTree(d *buffers.Document, flat []outline.Symbol, depth int) (tree []protocol.DocumentSymbol, taken int) {
	tree = []protocol.DocumentSymbol{}
	c := s.coord(d)
	for taken < len(flat) && flat[taken].Depth >= depth {
		symbol := &flat[taken]
		children, below := s.symbolTree(d, flat[taken+1:], depth+1)
		taken += 1 + below
		tree = append(tree, protocol.DocumentSymbol{
			Name: symbol.Name, Detail: &symbol.Signature, Kind: protocol.SymbolKind(symbol.Kind),
			Range: rangeOf(d, c, symbol.Span), SelectionRange: rangeOf(d, c, symbol.NameSpan),
			Children: children,
		})
	}
	return tree, taken
}

func (r *request) foldingRange(ctx context.Context, in *protocol.FoldingRangeParams) (any, error) {
	folds := []protocol.FoldingRange{}
	err := r.structured(ctx, string(in.TextDocument.URI), func(d *buffers.Document, o *outline.Outline, tree *syntax.Tree) {
		symbols := make([]text.Span, len(o.Symbols))
		for i := range symbols {
			symbols[i] = text.Span{Start: o.Symbols[i].NameSpan.Start, End: o.Symbols[i].Span.End}
		}
		c := r.coord(d)
		ends := endsOf(d, c, tree.Blocks())
		maps.Copy(ends, endsOf(d, c, symbols)) // a body may begin on the line of the first symbol in it
		for _, first := range slices.Sorted(maps.Keys(ends)) {
			folds = append(folds, protocol.FoldingRange{StartLine: first, EndLine: ends[first]})
		}
	})
	return folds, err
}

// endsOf returns the last lines of the blocks that lie on several lines, by
// their first: of those that begin on one line, the largest's.
func endsOf(d *buffers.Document, c text.Coord, blocks []text.Span) map[uint32]uint32 {
	ends := map[uint32]uint32{}
	for _, b := range blocks {
		first, last := d.Text.PositionAt(b.Start, c).Line, d.Text.PositionAt(max(b.Start, b.End-1), c).Line
		if last > first {
			ends[first] = max(ends[first], last)
		}
	}
	return ends
}

func (r *request) selectionRange(ctx context.Context, in *protocol.SelectionRangeParams) (any, error) {
	selections := []protocol.SelectionRange{}
	err := r.structured(ctx, string(in.TextDocument.URI), func(d *buffers.Document, o *outline.Outline, tree *syntax.Tree) {
		for _, p := range in.Positions {
			at := d.Text.OffsetAt(text.Position{Line: p.Line, Character: p.Character}, r.coord(d))
			selections = append(selections, *r.selection(d, around(o, tree, at, d.Text.Len())))
		}
	})
	return selections, err
}

// around returns the extents around a place, outermost first, each within the
// one before: the text, the symbols and the nodes of the tree.
func around(o *outline.Outline, tree *syntax.Tree, at, length int) []text.Span {
	spans := append([]text.Span{{End: length}}, tree.Around(at)...)
	for i := o.At(at); i >= 0; i = o.Symbols[i].Parent {
		spans = append(spans, o.Symbols[i].Span)
	}
	slices.SortStableFunc(spans, func(a, b text.Span) int { return cmp.Compare(b.Len(), a.Len()) })
	kept := spans[:1]
	for _, span := range spans[1:] {
		inner := kept[len(kept)-1]
		if span != inner && span.Start >= inner.Start && span.End <= inner.End {
			kept = append(kept, span)
		}
	}
	return kept
}

// selection links spans, outermost first, as LSP wants them.
func (s *server) selection(d *buffers.Document, spans []text.Span) *protocol.SelectionRange {
	var outer *protocol.SelectionRange
	for _, span := range spans {
		outer = &protocol.SelectionRange{Range: rangeOf(d, s.coord(d), span), Parent: outer}
	}
	return outer
}
