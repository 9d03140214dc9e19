package rpc

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
func (d *dispatcher) makeRoom(ctx context.Context, n int) error {
	limits := []struct {
		of   *gauge
		most int
	}{
		{&d.link.Load().stream.owed, maxAccepted}, // this call included
		{&d.calls.count, maxAccepted - 1},
		{&d.calls.bytes, max(0, maxAcceptedBytes-n)}, // alone, it may be larger
	}
	timeout := d.roomTimeout
	if d.calls.stuck {
		timeout = 0
	}
	d.calls.stuck = false
	for _, limit := range limits {
		if limit.of.reached(limit.most) {
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, timeout)
		d.calls.stuck = !limit.of.waitAtMost(limit.most, waiting.Done())
		cancel()
		if d.calls.stuck {
			return jsonrpc2.NewError(codeRequestFailed, "too many calls are not answered yet")
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
func (d *dispatcher) runAsync(reading context.Context, req *jsonrpc2.Request, handle method) (any, error) {
	// Not derived from reading: cancelling a context of the library's own
	// type costs a goroutine, and this one lives as long as the connection.
	ctx, cancel := context.WithCancelCause(jsonrpc2.DetachContext(reading))
	defer cancel(nil)
	if err := d.makeRoom(ctx, len(req.Params())); err != nil {
		return nil, err
	}
	id := req.ID()
	if err := d.calls.add(id, &call{cancel: cancel, bytes: len(req.Params())}); err != nil {
		return nil, err
	}
	defer d.calls.remove(id)
	captured, release, err := d.takeCapture(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	jsonrpc2.Async(reading) // from here on req owns its bytes

	result, err := d.runInSlot(captured, req, handle)
	if err != nil && errors.Is(context.Cause(ctx), errCancelled) {
		return nil, jsonrpc2.NewError(codeRequestCancelled, "cancelled")
	}
	return result, err
}

// takeCapture turns a panic of the capture into an error: it runs on the read
// loop, where a panic would end the connection.
func (d *dispatcher) takeCapture(ctx context.Context) (captured context.Context, release func(), err error) {
	defer d.recoverTo("capture", &err)
	captured, release = d.capture(ctx)
	return captured, release, nil
}

func (d *dispatcher) runInSlot(ctx context.Context, req *jsonrpc2.Request, handle method) (any, error) {
	s := &slot{all: d.slots}
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.free()
	if !d.link.Load().stream.queued.waitAtMost(maxQueuedBytes, ctx.Done()) {
		return nil, context.Cause(ctx)
	}
	return d.run(context.WithValue(ctx, slotKey{}, s), req.Method(), handle, req.Params())
}
