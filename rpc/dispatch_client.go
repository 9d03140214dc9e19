package rpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

var (
	errNoClient = errors.New("there is no client to ask")
	errInline   = errors.New("a handler on the read loop cannot wait for the client")
)

// callClient sends a call to the client and decodes its answer into result. It
// waits no longer than timeout, if that is positive, and tells the client when
// it gives up.
//
// The error is a [*jsonrpc2.Error] when the client answered with one, and
// wraps [context.DeadlineExceeded] after the timeout, ctx's cause when ctx
// ended, errNoClient when the client is gone or its input is, and errInline
// on the read loop, where the answer could never be read.
func (d *dispatcher) callClient(ctx context.Context, timeout time.Duration, name string, params, result any) error {
	l := d.link.Load()
	if l == nil || l.stream.inputEnded() {
		return errNoClient
	}
	if ctx.Value(inlineKey{}) != nil {
		return fmt.Errorf("%s: %w", name, errInline)
	}
	if s, ok := ctx.Value(slotKey{}).(*slot); ok {
		s.pause()
		defer s.resume(ctx)
	}
	waiting, cancel := l.waiting(ctx, timeout)
	defer cancel()
	var raw jsonrpc2.RawMessage
	id, err := l.conn.Call(context.WithValue(waiting, outgoing{}, true), name, params, &raw)
	if err != nil {
		return l.giveUp(waiting, id, err)
	}
	if err := protocol.Unmarshal(raw, result); err != nil {
		return fmt.Errorf("the client's answer to %s: %w", name, err)
	}
	return nil
}

// notifyClient sends a notification. It returns once it is written, so a
// client that does not read slows down who notifies it.
func (d *dispatcher) notifyClient(ctx context.Context, name string, params any) error {
	l := d.link.Load()
	if l == nil {
		return errNoClient
	}
	return l.conn.Notify(context.WithValue(ctx, outgoing{}, true), name, params)
}

// waiting returns a context that also ends after timeout and when no answer
// can be read any more.
func (l *link) waiting(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	cancelTimeout := context.CancelFunc(func() {})
	if timeout > 0 {
		ctx, cancelTimeout = context.WithTimeout(ctx, timeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.stream.reading, func() { cancel(errNoClient) })
	return ctx, func() {
		stop()
		cancel(nil)
		cancelTimeout()
	}
}

// giveUp turns the error of a call into one of callClient's.
func (l *link) giveUp(waiting context.Context, id jsonrpc2.ID, err error) error {
	if _, answered := errors.AsType[*jsonrpc2.Error](err); answered {
		return err
	}
	if waiting.Err() == nil || l.stream.inputEnded() {
		return fmt.Errorf("%w: %w", errNoClient, err)
	}
	n, _ := id.Number()
	cancelled := context.WithValue(context.WithoutCancel(waiting), outgoing{}, true)
	// Best effort: who asked gets the error in any case.
	_ = l.conn.Notify(cancelled, methodCancel, &protocol.CancelParams{ID: protocol.Integer(n)})
	return context.Cause(waiting)
}
