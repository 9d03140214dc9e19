package session

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// lull is how long a watch that gave up its turn to read does not ask for it.
// What it watches is heard of that much later, unless a call is answered.
const lull = 20 * time.Millisecond

// await returns the answer to a request, or why there is none: that ctx or the
// connection ended.
func (c *conn) await(ctx context.Context, a *asked) (r reply, err error) {
	if a.event == nil && c.watched.Load() { // so that the answer needs not be handed on
		_ = c.raw.SetReadDeadline(time.Unix(1, 0))
	}
	for again := true; again; {
		select {
		case r = <-a.reply:
			return r, nil
		case c.turn <- struct{}{}:
			again = c.readFor(ctx, a) && c.rest(ctx)
		case <-ctx.Done():
			again = false
		case <-c.ended:
			again = false
		}
	}
	select {
	case r = <-a.reply: // it came with the end
		return r, nil
	default:
	}
	if err := c.why(); err != nil {
		return reply{}, err
	}
	return reply{}, ctx.Err()
}

// rest lets callers have the turn. It returns false when ctx or the connection
// ended.
func (c *conn) rest(ctx context.Context) bool {
	timer := time.NewTimer(lull)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-c.ended:
	}
	return false
}

// readFor hands what comes to those who asked for it, until a has its answer or
// ctx or the connection ends; passed tells that a is a watch, and a caller waits
// for an answer. Who calls it has the turn, which it gives back.
func (c *conn) readFor(ctx context.Context, a *asked) (passed bool) {
	defer func() { <-c.turn }() // also when who is told of what came panics
	defer context.AfterFunc(ctx, func() { _ = c.raw.SetReadDeadline(time.Unix(1, 0)) })()
	watches := a.event != nil
	if watches {
		c.watched.Store(true) // before callers are looked for, who ask before they look for this
		defer c.watched.Store(false)
	}
	c.from.soon = c.callers() == 1 && !watches
	for len(a.reply) == 0 && ctx.Err() == nil {
		if watches && c.callers() > 0 {
			return true
		}
		_, err := c.in.r.Peek(1)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			// That may be of a context whose owner had the turn before, or of a
			// caller. Where it is this one's, the loop ends.
			err = c.raw.SetReadDeadline(time.Time{})
		} else if err == nil {
			err = c.readOne()
		}
		if err != nil {
			if !errors.Is(err, errSilent) {
				err = errGone
			}
			c.end(err)
			return false
		}
	}
	return false
}

// callers is how many requests are not answered that shall be soon.
func (c *conn) callers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting
}

func (c *conn) readOne() error {
	c.from.inFrame = true
	defer func() { c.from.inFrame = false }()
	var m message
	body, err := c.in.next(&m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	a := c.asked[m.ID]
	c.mu.Unlock()
	if a != nil {
		c.from.busy.Store(true)
		defer c.from.busy.Store(false)
		a.take(m, body)
	}
	return nil
}

func (a *asked) take(m message, body []byte) {
	switch m.Do {
	case doAnswer, doFailed:
		select {
		case a.reply <- reply{m, body}:
		default: // a second answer is none
		}
	case doProgress:
		if a.progress != nil {
			a.progress(m.Message, m.Done, m.Total)
		}
	case doEvent:
		var d Document // none in the first event, which says that the watch has begun
		if a.event != nil && (len(body) == 0 || wire.Unmarshal(body, &d) == nil) {
			a.event(d)
		}
	case doAsk:
		if a.ask != nil {
			a.ask(m.Question, body)
		}
	}
}

// source is what a connection is read from.
type source struct {
	conn    net.Conn
	now     func() time.Time
	read    atomic.Int64 // bytes so far
	busy    atomic.Bool  // somebody is told of what came, and nothing is read
	soon    bool         // an answer is about to come: nothing else is waited for
	inFrame bool         // a frame has begun: to stop now would lose what came
}

// Read implements [io.Reader]. Within a frame a deadline only says that somebody
// gave up: more has to come soon, or the error is errSilent.
func (s *source) Read(b []byte) (int, error) {
	var limit time.Time
	for {
		n, err := s.next(b)
		s.read.Add(int64(n))
		if !s.inFrame || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		now := s.now()
		if limit.IsZero() {
			limit = now.Add(lifeTimeout)
		} else if !now.Before(limit) {
			return n, errSilent
		}
		if err := s.conn.SetReadDeadline(limit); err != nil {
			return n, err
		}
	}
}

// soonReader is a connection that can be read in another way when something is
// about to come.
type soonReader interface {
	ReadSoon(b []byte) (n int, err error)
}

func (s *source) next(b []byte) (n int, err error) {
	if c, ok := s.conn.(soonReader); ok && s.soon {
		return c.ReadSoon(b)
	}
	return s.conn.Read(b)
}
