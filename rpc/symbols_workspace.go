package rpc

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// maxWorkspaceSymbols is how many symbols an answer of workspace/symbol holds.
const maxWorkspaceSymbols = 200

// workspaceSymbol finds symbols by name, where the setting lsp.symbols is on.
// An empty query, which asks for everything, is answered with nothing.
func (r *request) workspaceSymbol(ctx context.Context, in *protocol.WorkspaceSymbolParams) (any, error) {
	if !r.gate.Settings().LSP.Symbols {
		return nil, jsonrpc.ErrMethodNotFound
	}
	env := r.env(toolcall.Client{})
	defer env.Close()
	found, err := find.Symbols(ctx, env, in.Query, maxWorkspaceSymbols)
	if err != nil {
		return nil, err
	}
	places := placer{server: r.server, ctx: ctx, snapshot: env.Snapshot, texts: make(map[string]*placedText)}
	symbols := make([]protocol.SymbolInformation, 0, len(found))
	for i := range found {
		if t := places.text(found[i].Path); t != nil { // else it went away meanwhile
			symbols = append(symbols, t.information(&found[i].Symbol))
		}
	}
	return symbols, ctx.Err()
}

// placer gives the texts in which symbols were found, each read once.
type placer struct {
	*server
	ctx      context.Context
	snapshot *buffers.Snapshot
	texts    map[string]*placedText
}

// placedText is a text, how the editor counts in it and how it spells its name.
type placedText struct {
	text.Text
	coord text.Coord
	uri   string
}

// information returns what is told of a symbol in the text.
func (t *placedText) information(symbol *outline.Symbol) protocol.SymbolInformation {
	span := text.Span{Start: min(symbol.NameSpan.Start, t.Len()), End: min(symbol.NameSpan.End, t.Len())}
	info := protocol.SymbolInformation{
		Location: protocol.Location{URI: uri.URI(t.uri), Range: protocol.Range{
			Start: protocol.Position(t.PositionAt(span.Start, t.coord)),
			End:   protocol.Position(t.PositionAt(span.End, t.coord)),
		}},
	}
	info.Name, info.Kind = symbol.Name, protocol.SymbolKind(symbol.Kind)
	if symbol.Container != "" {
		info.ContainerName = &symbol.Container
	}
	return info
}

// text returns the text at p, nil when it cannot be read.
func (p *placer) text(at workspace.Path) *placedText {
	known, ok := p.texts[at.Key()]
	if ok {
		return known
	}
	fork := p.snapshot.Fork()
	defer fork.Close()
	if t, coord, err := p.textAt(p.ctx, fork, at); err == nil {
		known = &placedText{t, coord, at.URI}
		if d := fork.Overlay.Get(at.Key()); d != nil {
			known.uri = d.URI
		}
	}
	p.texts[at.Key()] = known
	return known
}
