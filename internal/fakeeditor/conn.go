package fakeeditor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"
)

// RPCError is a JSON-RPC error answer.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error renders the code and the message.
func (e *RPCError) Error() string { return fmt.Sprintf("JSON-RPC error %d: %s", e.Code, e.Message) }

// message is any JSON-RPC message; which one it is, its fields tell.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *RPCError       `json:"error,omitempty"`
}

// ErrClosed is what calls return that the connection's end left unanswered.
var ErrClosed = errors.New("the connection is closed")

// conn is one end of a JSON-RPC connection. Sending never blocks: a writer
// goroutine drains a queue, so that two peers that both talk cannot lock each
// other up. Both goroutines end when the transport is closed, and close waits
// for them.
type conn struct {
	rwc     io.ReadWriteCloser
	log     *messageLog
	handle  func(message) // runs on the reading goroutine, one message at a time
	workers sync.WaitGroup

	mu      sync.Mutex
	nextID  int
	pending map[string]*Pending
	queue   [][]byte
	queued  chan struct{} // holds a token while queue may be non-empty
	ended   bool
	done    chan struct{} // closed when ended
}

func newConn(rwc io.ReadWriteCloser, log *messageLog, handle func(message)) *conn {
	c := &conn{
		rwc: rwc, log: log, handle: handle,
		pending: make(map[string]*Pending),
		queued:  make(chan struct{}, 1),
		done:    make(chan struct{}),
	}
	c.workers.Go(c.read)
	c.workers.Go(c.write)
	return c
}

// end marks the connection as closed and fails every call that waits. It may
// be called from any goroutine, more than once.
func (c *conn) end(cause error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended = true
	waiting := c.pending
	c.pending = nil
	close(c.done)
	c.mu.Unlock()
	for _, p := range waiting {
		p.resolve(nil, cause)
	}
	_ = c.rwc.Close()
}

// wait returns when both goroutines have ended.
func (c *conn) wait() { c.workers.Wait() }

func (c *conn) read() {
	r := bufio.NewReader(c.rwc)
	for {
		body, err := readFrame(r)
		if err != nil {
			c.readFailed(err)
			return
		}
		c.receive(body)
	}
}

// readFailed tells an end of the stream, which either side may cause, from a
// frame that is wrong.
func (c *conn) readFailed(err error) {
	ours := false
	select {
	case <-c.done:
		ours = true
	default:
	}
	if !ours && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
		c.log.violation("frame: %v", err)
	}
	c.end(ErrClosed)
}

func (c *conn) receive(body []byte) {
	var m message
	if !utf8.Valid(body) {
		c.log.violation("a message is not valid UTF-8")
	}
	if err := json.Unmarshal(body, &m); err != nil {
		c.log.violation("a message is not JSON: %v", err)
		return
	}
	c.log.add(received, m.Method, body)
	if m.JSONRPC != "2.0" {
		c.log.violation("jsonrpc is %q", m.JSONRPC)
	}
	if m.Method != "" {
		c.handle(m)
		c.log.handled(m.Method)
		return
	}
	c.deliver(m)
}

// deliver gives an answer to the call that waits for it.
func (c *conn) deliver(m message) {
	c.mu.Lock()
	p, known := c.pending[string(m.ID)]
	delete(c.pending, string(m.ID))
	ended := c.ended
	c.mu.Unlock()
	switch {
	case ended:
		// What had been read when this side hung up; its calls have failed.
	case !known && string(m.ID) == "null" && m.Error != nil:
		// The answer to a message that had no readable id.
	case !known:
		c.log.violation("an answer for id %s, which nobody waits for", m.ID)
	case (m.Result == nil) == (m.Error == nil):
		c.log.violation("the answer for id %s has not exactly one of result and error", m.ID)
		p.resolve(nil, errors.New("malformed answer"))
	case m.Error != nil:
		p.resolve(nil, m.Error)
	default:
		p.resolve(m.Result, nil)
	}
}

func (c *conn) write() {
	for {
		select {
		case <-c.done:
			return
		case <-c.queued:
		}
		for _, b := range c.takeQueue() {
			if _, err := c.rwc.Write(b); err != nil {
				c.end(ErrClosed)
				return
			}
		}
	}
}

func (c *conn) takeQueue() [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queue
	c.queue = nil
	return q
}

// send queues a message; the order of calls is the order on the wire.
func (c *conn) send(m message) {
	m.JSONRPC = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		panic(err) // every field is a string or JSON that was marshalled before
	}
	c.log.add(sent, m.Method, body)
	c.sendRaw(frame(body))
}

// sendRaw queues bytes as they are.
func (c *conn) sendRaw(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, b)
	select {
	case c.queued <- struct{}{}:
	default:
	}
}

func (c *conn) notify(method string, params any) {
	c.send(message{Method: method, Params: mustMarshal(params)})
}

func (c *conn) request(method string, params any) *Pending {
	c.mu.Lock()
	c.nextID++
	p := &Pending{id: strconv.Itoa(c.nextID), done: make(chan struct{})}
	ended := c.ended
	if !ended {
		c.pending[p.id] = p
	}
	c.mu.Unlock()
	if ended {
		p.resolve(nil, ErrClosed)
		return p
	}
	c.send(message{ID: json.RawMessage(p.id), Method: method, Params: mustMarshal(params)})
	return p
}

// Pending is a request whose answer may not be here yet.
type Pending struct {
	id     string
	done   chan struct{}
	result json.RawMessage
	err    error
}

func (p *Pending) resolve(result json.RawMessage, err error) {
	p.result, p.err = result, err
	close(p.done)
}

// ID is the request's id as it stands on the wire.
func (p *Pending) ID() json.RawMessage { return json.RawMessage(p.id) }

// Wait returns the answer: the result, or an *[RPCError], or [ErrClosed] when
// the connection ended first, or the context's error.
func (p *Pending) Wait(ctx context.Context) (json.RawMessage, error) {
	select {
	case <-p.done:
		return p.result, p.err
	case <-ctx.Done():
		return nil, fmt.Errorf("no answer to request %s: %w", p.id, ctx.Err())
	}
}

// mustMarshal encodes values that tests write by hand; nil stays absent.
func mustMarshal(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	if raw, ok := v.(json.RawMessage); ok {
		return raw
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
