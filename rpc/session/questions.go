package session

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Where the editor cannot show a question, a call's own end may: the session
// asks (doAsk) while the call runs, and is told what the person said (doSaid).
// It asks nobody who does not offer that with the call.

// questions are those of one connection that nobody has answered.
type questions struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]chan message
}

// put opens a question, which is closed by the caller.
func (q *questions) put() (id uint64, said <-chan message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil {
		q.open = make(map[uint64]chan message)
	}
	answer := make(chan message, 1)
	q.last++
	q.open[q.last] = answer
	return q.last, answer
}

// said takes an answer. One to a question that is not open is none.
func (q *questions) said(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if answer := q.open[m.ID]; answer != nil {
		answer <- m
		delete(q.open, m.ID)
	}
}

func (q *questions) close(id uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open, id)
}

// ask has the client ask the person behind a call.
func (v *serverConn) ask(ctx context.Context, call uint64, request toolcall.ConfirmRequest) (toolcall.Decision, error) {
	body, err := wire.Marshal(request)
	if err != nil {
		return toolcall.Decision{}, err
	}
	id, said := v.questions.put()
	defer v.questions.close(id)
	if err := v.out.write(&message{Do: doAsk, ID: call, Question: id}, body); err != nil {
		return toolcall.Decision{}, err
	}
	select {
	case m := <-said:
		if m.Kind != "" {
			return toolcall.Decision{}, m.fault()
		}
		return toolcall.Decision{Apply: m.Apply, Reason: m.Message}, nil
	case <-ctx.Done():
		return toolcall.Decision{}, fault.From(ctx.Err())
	}
}

// asker returns what takes the questions of a call, one at a time, until ctx
// ends.
func (c *Conn) asker(ctx context.Context, ask func(context.Context, toolcall.ConfirmRequest) (toolcall.Decision, error)) func(uint64, []byte) {
	var busy atomic.Bool
	return func(question uint64, body []byte) {
		if busy.Swap(true) {
			return
		}
		c.beside(func() {
			m := &message{Do: doSaid, ID: question}
			var request toolcall.ConfirmRequest
			err := wire.Unmarshal(body, &request)
			if err == nil {
				var d toolcall.Decision
				d, err = ask(ctx, request)
				m.Apply, m.Message = d.Apply, d.Reason
			}
			if err != nil {
				m = failure(question, err)
				m.Do = doSaid
			}
			busy.Store(false)
			_ = c.out.write(m) // the session hears of the connection's end by itself
		})
	}
}

// beside runs f on a goroutine of its own, unless the connection has ended.
func (c *Conn) beside(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.work.Go(f)
	}
}
