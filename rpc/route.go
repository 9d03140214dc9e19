package rpc

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
)

func (s *server) routes() map[string]jsonrpc.Route {
	return map[string]jsonrpc.Route{
		"initialize":                          jsonrpc.Inline(decoded(lspParams, s.initialize)),
		"initialized":                         jsonrpc.Notification(ignore),
		"$/setTrace":                          jsonrpc.Notification(ignore),
		"textDocument/didOpen":                jsonrpc.Notification(s.didOpen),
		"textDocument/didChange":              jsonrpc.Notification(s.didChange),
		"textDocument/didSave":                jsonrpc.Notification(decoded(ownParams, s.didSave)),
		"textDocument/didClose":               jsonrpc.Notification(decoded(ownParams, s.didClose)),
		"agent/documentState":                 jsonrpc.Notification(decoded(ownParams, s.documentState)),
		"agent/tabs":                          jsonrpc.Notification(decoded(ownParams, s.tabs)),
		"workspace/didChangeWorkspaceFolders": jsonrpc.Notification(decoded(lspParams, s.didChangeWorkspaceFolders)),
		"workspace/didChangeConfiguration":    jsonrpc.Notification(decoded(lspParams, s.didChangeConfiguration)),
		"workspace/executeCommand":            async(s, lspParams, (*request).executeCommand),
		"agent/tools/list":                    jsonrpc.Inline(decoded(lspParams, s.listTools)),
		"agent/tools/call":                    async(s, ownParams, (*request).callTool),
		"agent/review/list":                   async(s, ownParams, (*request).listReview),
		"agent/review/keep":                   async(s, ownParams, (*request).keepReview),
		"agent/review/undo":                   async(s, ownParams, (*request).undoReview),
		"agent/checkpoint/list":               async(s, ownParams, (*request).listCheckpoints),
		"agent/checkpoint/restore":            async(s, ownParams, (*request).restoreCheckpoint),
		"agent/history/clear":                 async(s, ownParams, (*request).clearHistory),
		"agent/point":                         async(s, ownParams, (*request).point),
		"agent/blame":                         async(s, ownParams, (*request).blame),
		"agent/stats":                         jsonrpc.Inline(decoded(lspParams, s.stats)),
		"textDocument/documentSymbol":         async(s, lspParams, (*request).documentSymbol),
		"textDocument/foldingRange":           async(s, lspParams, (*request).foldingRange),
		"textDocument/selectionRange":         async(s, lspParams, (*request).selectionRange),
		"workspace/symbol":                    async(s, lspParams, (*request).workspaceSymbol),
	}
}

func ignore(context.Context, *jsonrpc.Caller, jsonrpc.RawMessage) (any, error) { return nil, nil }

// request is an asynchronous request, with the state as of its arrival.
type request struct {
	*server
	caller  *jsonrpc.Caller
	overlay *buffers.Overlay
	gate    *workspace.Gate
}

// arrived returns a request that arrives now.
func (s *server) arrived() *request {
	return &request{server: s, overlay: s.store.Overlay(), gate: s.core.Gate()}
}

// async returns the route of a method whose requests run beside others.
func async[In any](s *server, decode decoder, f func(r *request, ctx context.Context, in *In) (any, error)) jsonrpc.Route {
	return jsonrpc.Async(func() jsonrpc.Handler {
		r := s.arrived()
		return func(ctx context.Context, caller *jsonrpc.Caller, params jsonrpc.RawMessage) (any, error) {
			r.caller = caller
			in := new(In)
			if err := decode(params, in); err != nil {
				return nil, err
			}
			return f(r, ctx, in)
		}
	})
}

// decoded returns a handler that decodes the params for f.
func decoded[In any](decode decoder, f func(ctx context.Context, in *In) (any, error)) jsonrpc.Handler {
	return func(ctx context.Context, _ *jsonrpc.Caller, params jsonrpc.RawMessage) (any, error) {
		in := new(In)
		if err := decode(params, in); err != nil {
			return nil, err
		}
		return f(ctx, in)
	}
}

// decoder decodes params into the struct that in points to. Params that are
// missing leave it as it is; those that do not fit are invalid params.
type decoder func(params jsonrpc.RawMessage, in any) error

// lspParams decodes params of LSP's types.
func lspParams(params jsonrpc.RawMessage, in any) error {
	if len(params) == 0 {
		return nil
	}
	if err := protocol.Unmarshal(params, in); err != nil {
		return jsonrpc.Errorf(jsonrpc.InvalidParams, "params: %v", err)
	}
	return nil
}

// ownParams decodes params that LSP does not know: their names and types are
// read strictly, and URIs stay as the client spells them.
func ownParams(params jsonrpc.RawMessage, in any) error {
	if len(params) == 0 {
		return nil
	}
	return wire.Unmarshal(params, in)
}

// codec encodes as LSP does.
type codec struct{}

var _ jsonrpc.Codec = codec{}

// Marshal implements [jsonrpc.Codec].
func (codec) Marshal(v any) ([]byte, error) { return protocol.Marshal(v) }

// Unmarshal implements [jsonrpc.Codec].
func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }
