package rpc

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

// tide tells whether all that came in is handled, so that a call which comes by
// another way sees what was sent before it: what waits in a pipe is not known
// to the server yet.
//
// Who reads through it has handled all that it read before it reads on.
type tide struct {
	mu   sync.Mutex
	low  bool          // nothing was there when the reader came for more
	over bool          // nothing will come
	fell chan struct{} // closed when low is set; nil when nobody waits
}

// read reads by a system call that does not wait. done is false when there is
// nothing.
func (t *tide) read(b []byte, call func([]byte) (int, error)) (n int, err error, done bool) { //nolint:revive // done is no error's result
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		n, err = call(b)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if errors.Is(err, syscall.EAGAIN) {
			t.fall()
			return 0, nil, false
		}
		t.low = false
		if t.over = err != nil || n <= 0; t.over {
			t.fall()
		}
		return max(n, 0), err, true
	}
}

func (t *tide) fall() {
	t.low = true
	if t.fell != nil {
		close(t.fell)
		t.fell = nil
	}
}

// settleTimeout is how long settle waits: more than a moment takes only a very
// large document.
const settleTimeout = time.Second / 4

// settle waits until nothing is left that was there at the call, ctx ends or it
// has waited long enough. waits tells whether something waits to be read.
func (t *tide) settle(ctx context.Context, waits func() bool) {
	t.mu.Lock()
	if t.over || t.low && !waits() {
		t.mu.Unlock()
		return
	}
	if t.fell == nil {
		t.fell = make(chan struct{})
	}
	fell := t.fell
	t.mu.Unlock()
	limit := time.NewTimer(settleTimeout)
	defer limit.Stop()
	select {
	case <-fell:
	case <-limit.C:
	case <-ctx.Done():
	}
}
