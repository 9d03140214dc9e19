package rpc

import (
	"context"
	"log/slog"
	"strings"
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

// method handles a call or a notification.
//
// params are nil when the message has none or null. In a notification or
// inline call they are only valid until the method returns. A result that is
// a [jsonrpc2.RawMessage] is sent as it is; it has to be valid JSON. Of a
// notification the result is ignored and an error only logged.
type method func(ctx context.Context, params jsonrpc2.RawMessage) (any, error)

// mode tells how a method's messages are run.
type mode uint8

const (
	// notification: no answer; runs on the read loop, in the order of arrival.
	notification mode = iota
	// inlineCall: runs on the read loop as well. It must be quick, and it
	// cannot call the client.
	inlineCall
	// asyncCall: takes its capture on the read loop, then runs beside others.
	asyncCall
)

// route is what is done with one method's messages.
type route struct {
	mode   mode
	handle method
}

// capture is called on the read loop for each asynchronous call, in the order
// of arrival. The context it returns is the handler's, and so holds the state
// as of the call's arrival; release is called once nothing uses it any more,
// also when the handler never ran.
type capture func(ctx context.Context) (captured context.Context, release func())

// dispatcher runs the messages of one connection. It owns the rules that
// hold for every method: the lifecycle, cancelling, limits and panics.
//
// Notifications and inline calls run one at a time in the order of arrival;
// an asynchronous call sees in its capture everything that arrived before it
// and nothing later.
type dispatcher struct {
	routes  map[string]route
	capture capture
	log     *slog.Logger

	life  lifecycle
	calls accepted
	slots chan struct{} // one token for each running call
	link  atomic.Pointer[link]

	streamConf  streamConfig
	roomTimeout time.Duration
	stopTimeout time.Duration
}

// newDispatcher returns a dispatcher for a single connection. "initialize",
// "shutdown" and "exit" belong to the lifecycle: a route for the first is
// needed, for the second possible, and must be inline. capture may be nil.
func newDispatcher(routes map[string]route, capture capture, log *slog.Logger) *dispatcher {
	if capture == nil {
		capture = func(ctx context.Context) (context.Context, func()) { return ctx, func() {} }
	}
	return &dispatcher{
		routes:      routes,
		capture:     capture,
		log:         log,
		calls:       accepted{byID: make(map[jsonrpc2.ID]*call)},
		slots:       make(chan struct{}, maxRunning),
		streamConf:  defaultStreamConfig(),
		roomTimeout: roomTimeout,
		stopTimeout: stopTimeout,
	}
}

// handle is the library's handler. It runs on the read loop and never returns
// an error for a notification, which would end the connection.
func (d *dispatcher) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if req.IsCall() {
		result, err := d.handleCall(ctx, req)
		return result, wireError(err)
	}
	d.handleNotification(req)
	return nil, nil
}

func (d *dispatcher) handleNotification(req *jsonrpc2.Request) {
	name := req.Method()
	switch name {
	case methodExit:
		d.exit()
		return
	case methodCancel:
		d.calls.cancel(req.Params(), d.log)
		return
	}
	r, known := d.routes[name]
	switch {
	case !d.life.running():
		d.log.Debug("notification outside of the session", "method", shown(name))
	case known && r.mode == notification:
		if _, err := d.run(d.link.Load().inline, name, r.handle, req.Params()); err != nil {
			d.log.Error("notification failed", "method", shown(name), "error", err)
		}
	case known:
		d.log.Warn("a call without id is not run", "method", shown(name))
	default:
		d.log.Debug("unknown notification", "method", shown(name))
	}
}

func (d *dispatcher) handleCall(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	name := req.Method()
	if err := d.life.admit(name); err != nil {
		return nil, err
	}
	r, known := d.routes[name]
	switch {
	case name == methodInitialize && known:
		return d.initialize(r.handle, req.Params())
	case name == methodShutdown:
		return d.shutdown(r.handle, req.Params())
	case !known:
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no method %q", shown(name))
	case r.mode == notification:
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s is a notification, but the message has an id", name)
	case r.mode == inlineCall:
		return d.run(d.link.Load().inline, name, r.handle, req.Params())
	default:
		return d.runAsync(ctx, req, r.handle)
	}
}

// shown makes a method's name fit for logs and messages.
func shown(name string) string {
	const most = 100
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.ToValidUTF8(name, "�")
}
