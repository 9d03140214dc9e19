package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

const (
	// maxAccepted is how many calls may be without an answer, where one with
	// large arguments counts for each MiB of them.
	maxAccepted = 256
	// maxRunning is how many of them run at the same time.
	maxRunning = 32
	// roomTimeout is how long reading stops when there are too many calls. The
	// one that is one too many is refused then, so that what comes behind it,
	// a cancellation perhaps, is read.
	roomTimeout = 5 * time.Second
	// drainTimeout is how long the calls may take that are not answered when
	// the client's stream ends.
	drainTimeout = 10 * time.Second
)

// connection is one client over a pair of streams. To the SDK it is the
// transport, which sees what the connection does not take for itself.
type connection struct {
	server  *server
	in      io.ReadCloser
	lines   lineReader
	out     lineWriter
	calls   *parallel.Group
	loop    *parallel.LeaderLoop
	slots   chan struct{}
	session *mcp.ServerSession
	hearing context.Context // ends when nothing more comes from the client
	// client and version are the handshake's; the version is "" before it.
	client  atomic.Pointer[string]
	version atomic.Pointer[string]

	toSDK   chan jsonrpc.Message
	endSDK  sync.Once
	sdkOver chan struct{}

	mu      sync.Mutex
	pending map[callKey]*pending
	sending int           // calls that are not pending any more, whose answers are not sent
	sent    chan struct{} // has something when one was
}

// pending is a call without an answer.
type pending struct {
	method string
	batch  *batch
	cancel context.CancelCauseFunc // nil for a call of the SDK's
	done   chan struct{}           // closed with the answer to initialize; else nil
	waived bool                    // nobody waits for the answer any more
}

func newConnection(s *server, in io.ReadCloser, out io.WriteCloser) *connection {
	none := ""
	c := &connection{
		server: s, in: in, lines: newLineReader(in), out: lineWriter{out: out, patience: writeTimeout},
		slots: make(chan struct{}, maxAccepted), toSDK: make(chan jsonrpc.Message), sdkOver: make(chan struct{}),
		pending: make(map[callKey]*pending), sent: make(chan struct{}, 1),
	}
	c.client.Store(&none)
	c.version.Store(&none)
	return c
}

// serve answers until the client's stream or ctx ends.
func (c *connection) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.out.failed = func(err error) { cancel(fmt.Errorf("write to the client: %w", err)) }
	// Closing ends a read, and a write, that wait for a client who does nothing.
	closing := context.AfterFunc(ctx, c.closeStreams)
	c.calls = parallel.NewGroup(ctx, maxRunning, maxAccepted, func(err error) {
		c.server.config.Log.Error("a call failed", "error", err)
	})
	c.loop = parallel.NewLeaderLoop(c.calls)
	var err error
	if c.session, err = c.server.sdk.Connect(ctx, c, nil); err != nil {
		return err
	}
	watching := parallel.NewGroup(ctx, 1, 0, func(err error) { c.server.config.Log.Error("watching failed", "error", err) })
	watching.Go(c.server.watcher.run)
	hearing, ended := context.WithCancel(ctx)
	c.hearing = hearing
	err = c.loop.Run(func() error { return c.read(ctx) })
	ended()
	c.drain(ctx)
	if why := context.Cause(ctx); err == nil && why != nil && !errors.Is(why, context.Canceled) {
		err = why
	}
	cancel(nil)
	c.calls.Wait()
	watching.Wait()
	_ = c.session.Close() // it only says again that the streams are closed
	if closing() {
		c.closeStreams()
	}
	return err
}

func (c *connection) closeStreams() {
	_ = c.in.Close() // what they say does not matter any more
	_ = c.out.out.Close()
}

// read takes messages until the stream ends, where the error is nil, or
// another goroutine goes on with it.
func (c *connection) read(ctx context.Context) error {
	for {
		line, err := c.lines.next()
		switch {
		case errors.Is(err, errLineTooLong):
			c.refuse(nil, nil, failed(jsonrpc.CodeInvalidRequest, err.Error()))
			continue
		case err != nil && (errors.Is(err, io.EOF) || ctx.Err() != nil):
			return nil
		case err != nil:
			return fmt.Errorf("read from the client: %w", err)
		}
		if line[0] == '[' {
			c.takeBatch(ctx, line)
		} else {
			m, bad := parse(line)
			if c.take(ctx, m, bad, nil) {
				return parallel.ErrPassed
			}
		}
	}
}

// take does with a message what is to be done. bad says why it is no good.
// When passed is set another goroutine goes on reading.
func (c *connection) take(ctx context.Context, m *message, bad *jsonrpc.Error, b *batch) (passed bool) {
	switch {
	case bad != nil:
		c.refuse(m.ID, b, bad)
	case m.Method == "tools/call" && m.isCall():
		return c.takeCall(ctx, m, b)
	case m.Method == "notifications/cancelled" && c.cancelled(m):
	default:
		c.pass(ctx, m, b)
	}
	return false
}

// pass hands a message to the SDK.
func (c *connection) pass(ctx context.Context, m *message, b *batch) {
	msg, err := jsonrpc.DecodeMessage(m.raw)
	if err != nil {
		c.refuse(m.ID, b, failed(jsonrpc.CodeInvalidRequest, err.Error()))
		return
	}
	p := &pending{method: m.Method, batch: b}
	if m.isCall() {
		if m.Method == "initialize" {
			p.done = make(chan struct{})
			c.noteClient(m)
		}
		if !c.await(m, p) {
			return
		}
	}
	select {
	case c.toSDK <- msg:
	case <-c.sdkOver:
		if c.takePending(m.key) != nil {
			c.refuse(m.ID, b, failed(jsonrpc.CodeInternalError, "the connection is ending"))
			c.wasSent()
		}
		return
	case <-ctx.Done():
		return
	}
	if p.done != nil { // what follows depends on the revision
		select {
		case <-p.done:
		case <-c.sdkOver:
		case <-ctx.Done():
		}
	}
	if m.Method == "notifications/initialized" || m.Method == "notifications/roots/list_changed" {
		c.server.roots.ask(c.session, c.calls)
	}
}

// await books a call that is to be answered. It refuses one whose id is that
// of another call.
func (c *connection) await(m *message, p *pending) bool {
	c.mu.Lock()
	_, twice := c.pending[m.key]
	if !twice {
		c.pending[m.key] = p
	}
	c.mu.Unlock()
	if twice {
		c.refuse(m.ID, p.batch, failed(jsonrpc.CodeInvalidRequest, "a call with this id is not answered yet"))
	}
	return !twice
}

// takePending takes a call out of the books; nil when it is not in them. Its answer
// is sent then, and wasSent called: the id is the client's again as soon as it
// has the answer.
func (c *connection) takePending(key callKey) *pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[key]
	delete(c.pending, key)
	if p != nil {
		c.sending++
	}
	return p
}

func (c *connection) wasSent() {
	c.mu.Lock()
	c.sending--
	c.mu.Unlock()
	select {
	case c.sent <- struct{}{}:
	default:
	}
}

// drain waits for the answers to what is asked already.
func (c *connection) drain(ctx context.Context) {
	limit := time.NewTimer(drainTimeout)
	defer limit.Stop()
	for c.owing() {
		select {
		case <-c.sent:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// owing reports whether an answer is still to come that somebody waits for. One
// to subscriptions/listen comes with the end.
func (c *connection) owing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pending {
		if !p.waived && p.method != "subscriptions/listen" {
			return true
		}
	}
	return c.sending > 0
}

// answer sends the answer to a call, or puts it with the others of its batch.
func (c *connection) answer(b *batch, build func(dst []byte) []byte) {
	if b == nil {
		_ = c.out.write(build) // a failure ends the connection by itself
	} else if whole := b.add(build); whole != nil {
		_ = c.out.write(func(dst []byte) []byte { return append(dst, whole...) })
	}
}

func (c *connection) refuse(id []byte, b *batch, why *jsonrpc.Error) {
	c.answer(b, func(dst []byte) []byte { return appendError(dst, id, why) })
}
