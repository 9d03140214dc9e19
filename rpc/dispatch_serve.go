package rpc

import (
	"context"
	"errors"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// link is a dispatcher's connection while it is served.
type link struct {
	stream *stream
	conn   jsonrpc2.Conn
	inline context.Context // of everything that runs on the read loop
}

// inlineKey marks the context of what runs on the read loop.
type inlineKey struct{}

// serve handles a client's messages until the connection ends, and closes in
// and out. It is called once.
//
// The error is nil after shutdown and exit, and when the input ended between
// two messages; errExitEarly after exit alone; ctx's cause when ctx ended it.
// All handlers have returned by then, unless one ignored its context for
// stopTimeout, or the system does not let go of a read or write: then they
// are left behind and the process should exit.
func (d *dispatcher) serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newStream(in, out, d.streamConf, d.log)
	stop := context.AfterFunc(ctx, func() { s.end(context.Cause(ctx)) })
	defer stop()
	conn := jsonrpc2.NewConn(s, jsonrpc2.WithCodec(codec{}))
	d.link.Store(&link{stream: s, conn: conn, inline: context.WithValue(ctx, inlineKey{}, true)})
	conn.Go(ctx, d.handle)

	<-s.closed
	cancel()
	d.await(conn.Done())
	return outcome(s.reason())
}

// await waits for the handlers of a connection that has ended.
func (d *dispatcher) await(done <-chan struct{}) {
	limit := time.NewTimer(d.stopTimeout)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		d.log.Warn("the connection ended, but something does not return")
	}
}

func outcome(cause error) error {
	if errors.Is(cause, errExit) || errors.Is(cause, io.EOF) {
		return nil
	}
	return cause
}
