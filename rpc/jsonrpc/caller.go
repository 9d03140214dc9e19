package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

var (
	// ErrNoClient says that there is nobody to call, or no more.
	ErrNoClient = errors.New("there is no client to ask")
	errInline   = errors.New("a handler on the read loop cannot wait for the client")
)

// Caller calls and notifies the client, for one handler or for work in the
// background. Its methods may be called from any goroutine.
type Caller struct {
	conn   *Conn
	slot   *slot // of the asynchronous call that it is for; nil for none
	inline bool  // it is for a handler on the read loop
}

// Caller returns the caller of work in the background.
func (c *Conn) Caller() *Caller { return &Caller{conn: c} }

// Call sends a call to the client and decodes its answer into result. It waits
// no longer than timeout, if that is positive, and tells the client when it
// gives up. The call that the caller is for gives up its slot meanwhile.
//
// The error is an [*Error] when the client answered with one, and wraps
// [context.DeadlineExceeded] after the timeout, ctx's cause when ctx ended,
// [ErrNoClient] when the client is gone or its input is, and errInline on the
// read loop, where the answer could never be read.
func (c *Caller) Call(ctx context.Context, timeout time.Duration, name string, params, result any) error {
	l := c.conn.link.Load()
	if l == nil || l.stream.inputEnded() {
		return ErrNoClient
	}
	if c.inline {
		return fmt.Errorf("%s: %w", name, errInline)
	}
	if c.slot != nil {
		c.slot.pause()
		defer c.slot.resume(ctx)
	}
	raw, err := c.conn.encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	waiting, cancel := l.waiting(ctx, timeout)
	defer cancel()
	id, came := c.conn.outgoing.add()
	defer c.conn.outgoing.remove(id)
	if err := l.stream.sendRequest(waiting, jsonrpc2.NewCall(jsonrpc2.NewNumberID(id), name, raw)); err != nil {
		return c.giveUp(waiting, l, id, err)
	}
	select {
	case answer := <-came:
		if answer.Err() != nil {
			return answer.Err()
		}
		if err := c.conn.codec.Unmarshal(answer.Result(), result); err != nil {
			return fmt.Errorf("the client's answer to %s: %w", name, err)
		}
		return nil
	case <-waiting.Done():
		return c.giveUp(waiting, l, id, waiting.Err())
	}
}

// Notify sends a notification. It returns once it is written, so a client that
// does not read slows down who notifies it.
func (c *Caller) Notify(ctx context.Context, name string, params any) error {
	l := c.conn.link.Load()
	if l == nil {
		return ErrNoClient
	}
	raw, err := c.conn.encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return l.stream.sendRequest(ctx, jsonrpc2.NewNotification(name, raw))
}

// waiting returns a context that also ends after timeout and when no answer
// can be read any more.
func (l *link) waiting(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	cancelTimeout := context.CancelFunc(func() {})
	if timeout > 0 {
		ctx, cancelTimeout = context.WithTimeout(ctx, timeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.stream.reading, func() { cancel(ErrNoClient) })
	return ctx, func() {
		stop()
		cancel(nil)
		cancelTimeout()
	}
}

// giveUp turns the error of a call that was not answered into one of Call's.
func (c *Caller) giveUp(waiting context.Context, l *link, id int64, err error) error {
	if waiting.Err() == nil || l.stream.inputEnded() {
		return fmt.Errorf("%w: %w", ErrNoClient, err)
	}
	cancelled := struct {
		ID int64 `json:"id"`
	}{id}
	// Best effort: who asked gets the error in any case.
	_ = c.Notify(context.WithoutCancel(waiting), methodCancel, cancelled)
	return context.Cause(waiting)
}

// outgoingCalls holds the calls of the client that are waited for, by their id.
type outgoingCalls struct {
	mu      sync.Mutex
	last    int64
	waiting map[int64]chan<- *jsonrpc2.Response
}

// add returns the id of a new call, and where its answer comes. The caller
// removes it.
func (a *outgoingCalls) add() (id int64, came <-chan *jsonrpc2.Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	answer := make(chan *jsonrpc2.Response, 1)
	a.waiting[a.last] = answer
	return a.last, answer
}

func (a *outgoingCalls) remove(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, id)
}

// deliver hands an answer to who waits for it. It copies the frame, which is
// the reader's. An answer that nobody waits for is passed over.
func (a *outgoingCalls) deliver(frame []byte) {
	message, err := jsonrpc2.DecodeMessage(append([]byte(nil), frame...))
	answer, ok := message.(*jsonrpc2.Response)
	if err != nil || !ok {
		return
	}
	id, _ := answer.ID().Number()
	a.mu.Lock()
	defer a.mu.Unlock()
	if came := a.waiting[id]; came != nil {
		came <- answer
		delete(a.waiting, id)
	}
}
