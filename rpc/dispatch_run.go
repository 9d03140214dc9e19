package rpc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// LSP's error codes beyond those of JSON-RPC.
const (
	codeRequestCancelled = jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled)
	codeRequestFailed    = jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed)
)

// run calls a method and encodes its result. A panic in either becomes an
// error, so that it costs this call and not the session.
func (d *dispatcher) run(ctx context.Context, name string, handle method, params jsonrpc2.RawMessage) (result any, err error) {
	defer d.recoverTo(name, &err)
	result, err = handle(ctx, params)
	if err != nil {
		return nil, err
	}
	return encode(result)
}

// encode returns nil or a [jsonrpc2.RawMessage].
func encode(result any) (any, error) {
	switch r := result.(type) {
	case nil, jsonrpc2.RawMessage:
		return r, nil
	}
	raw, err := protocol.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return jsonrpc2.RawMessage(raw), nil
}

// recoverTo is deferred. It logs a panic with its stack but not its value,
// which may hold source text, unless it is the runtime's.
func (d *dispatcher) recoverTo(name string, err *error) {
	value := recover()
	if value == nil {
		return
	}
	what := fmt.Sprintf("%T", value)
	if e, ok := value.(runtime.Error); ok {
		what = e.Error()
	}
	d.log.Error("panic", "method", shown(name), "panic", what, "stack", string(debug.Stack()))
	*err = jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error in %s", shown(name))
}

// wireError gives an error the code that the client sees.
func wireError(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return &jsonrpc2.Error{Code: e.Code, Message: strings.ToValidUTF8(err.Error(), "�"), Data: e.Data}
	}
	return jsonrpc2.NewError(codeOf(err), strings.ToValidUTF8(err.Error(), "�"))
}

func codeOf(err error) jsonrpc2.Code {
	switch fault.KindOf(err) {
	case fault.InvalidParams:
		return jsonrpc2.InvalidParams
	case fault.Cancelled:
		return codeRequestCancelled
	case fault.Internal:
		return jsonrpc2.InternalError
	default:
		return codeRequestFailed
	}
}

// codec encodes params and results of both directions.
type codec struct{}

var _ jsonrpc2.Codec = codec{}

// Marshal implements [jsonrpc2.Codec]. Raw values pass as they are.
func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal implements [jsonrpc2.Codec]. It runs on the read loop, so it only
// copies: [dispatcher.callClient] decodes, where a panic does no harm.
func (codec) Unmarshal(data []byte, v any) error {
	raw, ok := v.(*jsonrpc2.RawMessage)
	if !ok {
		return fmt.Errorf("results are taken as %T, not %T", raw, v)
	}
	*raw = append((*raw)[:0], data...)
	return nil
}

// decoded makes a method of a function with typed params. Params that are
// missing give the zero value; those that do not fit are -32602.
func decoded[In any](f func(ctx context.Context, in *In) (any, error)) method {
	return func(ctx context.Context, params jsonrpc2.RawMessage) (any, error) {
		in := new(In)
		if len(params) > 0 {
			if err := protocol.Unmarshal(params, in); err != nil {
				return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "params: %v", err)
			}
		}
		return f(ctx, in)
	}
}

// ours is decoded for params that LSP does not know: their names and types are
// read strictly, and URIs stay as the client spells them.
func ours[In any](f func(ctx context.Context, in *In) (any, error)) method {
	return func(ctx context.Context, params jsonrpc2.RawMessage) (any, error) {
		in := new(In)
		if len(params) > 0 {
			if err := wire.Unmarshal(params, in); err != nil {
				return nil, err
			}
		}
		return f(ctx, in)
	}
}
