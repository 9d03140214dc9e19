package stdio

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

// drain tells when all that came in on an input is handled, so that a call which
// comes by another way sees what was sent before it: what waits in a pipe is not
// known to the server yet.
//
// Who reads has handled all that it read before it reads on.
type drain struct {
	mu      sync.Mutex
	drained bool          // nothing was there when the reader came for more
	over    bool          // nothing will come
	wake    chan struct{} // closed when drained is set; nil while nobody waits
}

// read reads by a system call that does not wait. done is false when there is
// nothing.
func (d *drain) read(b []byte, call func([]byte) (int, error)) (n int, err error, done bool) { //nolint:revive // done is no error's result
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		n, err = call(b)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if errors.Is(err, syscall.EAGAIN) {
			d.empty()
			return 0, nil, false
		}
		d.drained = false
		if d.over = err != nil || n <= 0; d.over {
			d.empty()
		}
		return max(n, 0), err, true
	}
}

func (d *drain) empty() {
	d.drained = true
	if d.wake != nil {
		close(d.wake)
		d.wake = nil
	}
}

// drainTimeout is how long wait waits: more than a moment takes only a very
// large document.
const drainTimeout = time.Second / 4

// wait returns when nothing is left that was there at the call, ctx has ended or
// drainTimeout is over. readable reports whether something waits to be read.
func (d *drain) wait(ctx context.Context, readable func() bool) {
	d.mu.Lock()
	if d.over || d.drained && !readable() {
		d.mu.Unlock()
		return
	}
	if d.wake == nil {
		d.wake = make(chan struct{})
	}
	wake := d.wake
	d.mu.Unlock()
	limit := time.NewTimer(drainTimeout)
	defer limit.Stop()
	select {
	case <-wake:
	case <-limit.C:
	case <-ctx.Done():
	}
}
