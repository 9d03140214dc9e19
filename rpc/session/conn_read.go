package session

import (
	"context"
	"net"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// read hands what comes to those who asked for it, until the connection ends.
func (c *Conn) read() {
	for {
		var m message
		body, err := c.in.next(&m)
		if err != nil {
			c.end(ErrGone)
			return
		}
		c.mu.Lock()
		a := c.pending[m.ID]
		c.mu.Unlock()
		if a == nil { // nobody's, or nobody's any more
			continue
		}
		select {
		case a.came <- reply{m, body}:
		case <-a.over:
		case <-c.ended:
		}
	}
}

// await returns the answer to a request, or why there is none: that ctx or the
// connection ended. An answer that came before either is returned.
func (c *Conn) await(ctx context.Context, a *pendingRequest) (r reply, err error) {
	for again := true; again; {
		select {
		case r = <-a.came:
			if r.last() {
				return r, nil
			}
			c.notify(a, r)
		case <-ctx.Done():
			again = false
		case <-c.ended:
			again = false
		}
	}
	for range len(a.came) {
		if r = <-a.came; r.last() {
			return r, nil
		}
		if ctx.Err() == nil {
			c.notify(a, r)
		}
	}
	if err := c.why(); err != nil {
		return reply{}, err
	}
	return reply{}, ctx.Err()
}

// last reports whether a reply ends its request.
func (r *reply) last() bool { return r.Do == doAnswer || r.Do == doFailed }

// notify calls what a request's owner gave for a message before the last one.
func (c *Conn) notify(a *pendingRequest, r reply) {
	c.listening.Add(1)
	defer c.listening.Add(-1)
	switch r.Do {
	case doProgress:
		if a.progress != nil {
			a.progress(r.Message, r.Done, r.Total)
		}
	case doEvent:
		var d Document // none in the first event, which says that the watch has begun
		if a.event != nil && (len(r.raw) == 0 || wire.Unmarshal(r.raw, &d) == nil) {
			a.event(d)
		}
	case doAsk:
		if a.ask != nil {
			a.ask(r.Question, r.raw)
		}
	}
}

// counter counts what is read of a connection.
type counter struct {
	in   net.Conn
	read atomic.Int64 // bytes so far
}

// Read implements [io.Reader].
func (c *counter) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.read.Add(int64(n))
	return n, err
}
