package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// errCancelled is the cause of a call's context that the client cancelled.
var errCancelled = errors.New("cancelled by the client")

// call is an asynchronous call whose handler has not returned.
type call struct {
	cancel context.CancelCauseFunc
	bytes  int // of its params
}

// accepted holds the asynchronous calls of a connection by their id.
type accepted struct {
	mu    sync.Mutex
	byID  map[jsonrpc2.ID]*call
	count gauge // calls in byID
	bytes gauge // of their params
	stuck bool  // room was waited for in vain; used on the read loop only
}

// add accepts a call, or returns the error that answers it.
func (a *accepted) add(id jsonrpc2.ID, c *call) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byID[id] != nil {
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "a call with this id is not answered yet")
	}
	a.byID[id] = c
	a.count.add(1)
	a.bytes.add(c.bytes)
	return nil
}

func (a *accepted) remove(id jsonrpc2.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes.add(-a.byID[id].bytes)
	a.count.add(-1)
	delete(a.byID, id)
}

// makeRoom returns an error when a call with params of n bytes is one too
// many. It lets a burst wait on the read loop, where the client feels it; but
// not for ever, because the calls that run may need what is read next.
func (c *Conn) makeRoom(ctx context.Context, n int) error {
	limits := []struct {
		of   *gauge
		most int
	}{
		{&c.link.Load().stream.owed, maxAccepted}, // this call included
		{&c.calls.count, maxAccepted - 1},
		{&c.calls.bytes, max(0, maxAcceptedBytes-n)}, // alone, it may be larger
	}
	timeout := c.roomTimeout
	if c.calls.stuck {
		timeout = 0
	}
	c.calls.stuck = false
	for _, limit := range limits {
		if limit.of.reached(limit.most) {
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, timeout)
		c.calls.stuck = !limit.of.waitAtMost(limit.most, waiting.Done())
		cancel()
		if c.calls.stuck {
			return Errorf(RequestFailed, "too many calls are not answered yet")
		}
	}
	return nil
}

// cancel handles $/cancelRequest. A call that is answered already, or never
// was made, is no error.
func (a *accepted) cancel(params jsonrpc2.RawMessage, log *slog.Logger) {
	var which struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(params, &which) // what is no object has no id
	if !isID(which.ID) {
		log.Warn("cancel request without a usable id")
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.byID[decodeID(which.ID)]; c != nil {
		c.cancel(errCancelled)
	}
}

// runAsync runs a call beside others. Everything up to the release of the
// read loop happens in the order of arrival.
func (c *Conn) runAsync(reading context.Context, req *jsonrpc2.Request, r Route) (any, error) {
	// Not derived from reading: cancelling a context of the library's own
	// type costs a goroutine, and this one lives as long as the connection.
	ctx, cancel := context.WithCancelCause(jsonrpc2.DetachContext(reading))
	defer cancel(nil)
	if err := c.makeRoom(ctx, len(req.Params())); err != nil {
		return nil, err
	}
	id := req.ID()
	if err := c.calls.add(id, &call{cancel: cancel, bytes: len(req.Params())}); err != nil {
		return nil, err
	}
	defer c.calls.remove(id)
	handle, err := c.begin(r)
	if err != nil {
		return nil, err
	}
	jsonrpc2.Async(reading) // from here on req owns its bytes

	result, err := c.runInSlot(ctx, req, handle)
	if err != nil && errors.Is(context.Cause(ctx), errCancelled) {
		return nil, Errorf(RequestCancelled, "cancelled")
	}
	return result, err
}

// begin turns a panic of the route's function into an error: it runs on the
// read loop, where a panic would end the connection.
func (c *Conn) begin(r Route) (h Handler, err error) {
	defer c.recoverTo("capture", &err)
	return r.begin(), nil
}

func (c *Conn) runInSlot(ctx context.Context, req *jsonrpc2.Request, handle Handler) (any, error) {
	s := &slot{all: c.slots}
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.free()
	if !c.link.Load().stream.queued.waitAtMost(maxQueuedBytes, ctx.Done()) {
		return nil, context.Cause(ctx)
	}
	return c.run(ctx, &Caller{conn: c, slot: s}, req.Method(), handle, req.Params())
}
