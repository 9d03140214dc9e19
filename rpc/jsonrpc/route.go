package jsonrpc

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"go.lsp.dev/jsonrpc2"
)

// RawMessage is a JSON value.
type RawMessage = jsonrpc2.RawMessage

// Handler handles a call or a notification. The caller is for what it asks and
// tells the client.
//
// params are nil when the message has none or null. In a notification or
// inline call they are only valid until the handler returns. A result that is
// a [RawMessage] is sent as it is; it has to be valid JSON. Of a notification
// the result is ignored and an error only logged.
type Handler func(ctx context.Context, caller *Caller, params RawMessage) (any, error)

// Codec encodes params and results of both directions.
type Codec interface {
	Marshal(v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

// Route is what is done with one method's messages.
type Route struct {
	mode  mode
	begin func() Handler
}

// mode tells how a method's messages are run.
type mode uint8

const (
	notification mode = iota
	inline
	async
)

// Notification is for messages without an answer. They are run on the read
// loop, in the order of arrival.
func Notification(h Handler) Route { return Route{notification, func() Handler { return h }} }

// Inline is for calls that are run on the read loop as well. They must be
// quick, and cannot call the client.
func Inline(h Handler) Route { return Route{inline, func() Handler { return h }} }

// Async is for calls that run beside others. begin is called on the read loop,
// in the order of arrival: what the handler that it returns holds is the state
// as of the call's arrival.
func Async(begin func() Handler) Route { return Route{async, begin} }

// runInline calls a handler on the read loop.
func (c *Conn) runInline(name string, handle Handler, params RawMessage) (result any, err error) {
	return c.run(c.link.Load().ctx, &Caller{conn: c, inline: true}, name, handle, params)
}

// run calls a handler and encodes its result. A panic in either becomes an
// error, so that it costs this call and not the session.
func (c *Conn) run(ctx context.Context, caller *Caller, name string, handle Handler, params RawMessage) (result any, err error) {
	defer c.recoverTo(name, &err)
	result, err = handle(ctx, caller, params)
	if err != nil {
		return nil, err
	}
	raw, err := c.encode(result)
	if raw == nil || err != nil {
		return nil, err
	}
	return raw, nil
}

// encode encodes params or a result; nil stays nil, and raw values as they are.
func (c *Conn) encode(v any) (RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case RawMessage:
		return v, nil
	}
	raw, err := c.codec.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return raw, nil
}

// recoverTo is deferred. It logs a panic with its stack but not its value,
// which may hold source text, unless it is the runtime's.
func (c *Conn) recoverTo(name string, err *error) {
	value := recover()
	if value == nil {
		return
	}
	what := fmt.Sprintf("%T", value)
	if e, ok := value.(runtime.Error); ok {
		what = e.Error()
	}
	c.log.Error("panic", "method", Printable(name), "panic", what, "stack", string(debug.Stack()))
	*err = Errorf(InternalError, "internal error in %s", Printable(name))
}

// rawResults is the library's codec: results reach it encoded.
type rawResults struct{}

var _ jsonrpc2.Codec = rawResults{}

// Marshal implements [jsonrpc2.Codec].
func (rawResults) Marshal(v any) ([]byte, error) {
	raw, ok := v.(RawMessage)
	if !ok {
		return nil, fmt.Errorf("a result of type %T is not encoded", v)
	}
	return raw, nil
}

// Unmarshal implements [jsonrpc2.Codec]. The library makes no calls, and so
// gets no results.
func (rawResults) Unmarshal([]byte, any) error { return fmt.Errorf("no result is awaited") }
