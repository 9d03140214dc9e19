package jsonrpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxRunning is the number of asynchronous calls that run at once. Calls
	// that wait for the client do not count.
	maxRunning = 32
	// maxAccepted is the number of asynchronous calls that are accepted and
	// not answered. Further ones wait for roomTimeout and are refused then.
	maxAccepted = 1000
	// maxAcceptedBytes is what the params of accepted calls may take. A
	// single call may take more.
	maxAcceptedBytes = 64 << 20
	// maxQueuedBytes is what may wait to be written before no further call
	// is begun.
	maxQueuedBytes = 16 << 20
	// roomTimeout is how long a call waits, and reading with it, while too
	// many others are not answered.
	roomTimeout = time.Second
	// stopTimeout is how long the end of a connection waits for its handlers.
	stopTimeout = 3 * time.Second
)

// Conn runs the messages of one connection. It owns the rules that hold for
// every method: the lifecycle, cancelling, limits and panics.
//
// Notifications and inline calls run one at a time in the order of arrival;
// an asynchronous call sees in its capture everything that arrived before it
// and nothing later.
type Conn struct {
	routes map[string]Route
	codec  Codec
	log    *slog.Logger

	life     lifecycle
	calls    accepted
	outgoing outgoingCalls // calls of the client that are not answered
	slots    chan struct{} // one token for each running call
	link     atomic.Pointer[link]

	streamConf  streamConfig
	roomTimeout time.Duration
	stopTimeout time.Duration
}

// link is the stream of a Conn that is being served.
type link struct {
	stream *stream
	ctx    context.Context // of everything that runs on the read loop
}

// NewConn returns a Conn, which is served once. "initialize", "shutdown" and
// "exit" belong to the lifecycle: a route for the first is needed, for the
// second possible, and must be inline.
func NewConn(routes map[string]Route, codec Codec, log *slog.Logger) *Conn {
	return &Conn{
		routes:      routes,
		codec:       codec,
		log:         log,
		calls:       accepted{byID: make(map[jsonrpc2.ID]*call)},
		outgoing:    outgoingCalls{waiting: make(map[int64]chan<- *jsonrpc2.Response)},
		slots:       make(chan struct{}, maxRunning),
		streamConf:  defaultStreamConfig(),
		roomTimeout: roomTimeout,
		stopTimeout: stopTimeout,
	}
}

// Serve handles a client's messages until the connection ends, and closes in
// and out. It is called once.
//
// The error is nil after shutdown and exit, and when the input ended between
// two messages; errExitEarly after exit alone; ctx's cause when ctx ended it.
// All handlers have returned by then, unless one ignored its context for
// stopTimeout, or the system does not let go of a read or write: then they
// are left behind and the process should exit.
func (c *Conn) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newStream(in, out, c.streamConf, c.log)
	s.answered = c.outgoing.deliver
	stop := context.AfterFunc(ctx, func() { s.end(context.Cause(ctx)) })
	defer stop()
	c.link.Store(&link{stream: s, ctx: ctx})
	library := jsonrpc2.NewConn(s, jsonrpc2.WithCodec(rawResults{}))
	library.Go(ctx, c.handle)

	<-s.closed
	cancel()
	c.await(library.Done())
	return outcome(s.reason())
}

// await waits for the handlers of a connection that has ended.
func (c *Conn) await(done <-chan struct{}) {
	limit := time.NewTimer(c.stopTimeout)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		c.log.Warn("the connection ended, but something does not return")
	}
}

func outcome(cause error) error {
	if errors.Is(cause, errExit) || errors.Is(cause, io.EOF) {
		return nil
	}
	return cause
}

// handle is the library's handler. It runs on the read loop and never returns
// an error for a notification, which would end the connection.
func (c *Conn) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if req.IsCall() {
		result, err := c.handleCall(ctx, req)
		return result, wireError(err)
	}
	c.handleNotification(req)
	return nil, nil
}

func (c *Conn) handleNotification(req *jsonrpc2.Request) {
	name := req.Method()
	switch name {
	case methodExit:
		c.exit()
		return
	case methodCancel:
		c.calls.cancel(req.Params(), c.log)
		return
	}
	r, known := c.routes[name]
	switch {
	case !c.life.running():
		c.log.Debug("notification outside of the session", "method", Printable(name))
	case known && r.mode == notification:
		if _, err := c.runInline(name, r.begin(), req.Params()); err != nil {
			c.log.Error("notification failed", "method", Printable(name), "error", err)
		}
	case known:
		c.log.Warn("a call without id is not run", "method", Printable(name))
	default:
		c.log.Debug("unknown notification", "method", Printable(name))
	}
}

func (c *Conn) handleCall(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	name := req.Method()
	if err := c.life.admit(name); err != nil {
		return nil, err
	}
	r, known := c.routes[name]
	switch {
	case name == methodInitialize && known:
		return c.initialize(r, req.Params())
	case name == methodShutdown:
		return c.shutdown(r, known, req.Params())
	case !known:
		return nil, Errorf(MethodNotFound, "there is no method %q", Printable(name))
	case r.mode == notification:
		return nil, Errorf(InvalidRequest, "%s is a notification, but the message has an id", name)
	case r.mode == inline:
		return c.runInline(name, r.begin(), req.Params())
	default:
		return c.runAsync(ctx, req, r)
	}
}
