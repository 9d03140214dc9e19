package workspace

import (
	"context"
	"sync"
	"time"
)

// maxBarrier is how long a call waits for what the system has yet to tell. It
// is a last guard: an answer takes some tenths of a millisecond.
const maxBarrier = 50 * time.Millisecond

// barrier waits until all that happened before has been told: a file of our
// own is changed, and what the system tells comes in the order in which it
// happened. Where there is no such file, nothing is waited for.
type barrier struct {
	file *barrierFile // nil where the system has none

	turn   sync.Mutex // one at a time waits, so that a change is its own
	mu     sync.Mutex
	waiter chan struct{} // closed when its change is told
	late   int           // changes that were not told in time, and may come yet
}

// wait returns when all that happened before the call has been told, when ctx
// ends, or after maxBarrier.
func (b *barrier) wait(ctx context.Context) {
	b.turn.Lock()
	defer b.turn.Unlock()
	if b.file == nil {
		return
	}
	told := make(chan struct{})
	b.mu.Lock()
	b.waiter = told
	b.mu.Unlock()
	if !b.file.change() {
		return
	}
	guard := time.NewTimer(maxBarrier)
	defer guard.Stop()
	select {
	case <-told:
		return
	case <-ctx.Done():
	case <-guard.C:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiter != nil {
		b.late++
	}
}

// take reports whether what the system told is a change of the barrier's file.
func (b *barrier) take(name string) bool {
	if b.file == nil || name != b.file.path {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.late > 0:
		b.late--
	case b.waiter != nil:
		close(b.waiter)
		b.waiter = nil
	}
	return true
}

// close frees the file. Nothing is told any more.
func (b *barrier) close() {
	b.turn.Lock()
	defer b.turn.Unlock()
	if b.file != nil {
		b.file.close()
		b.file = nil
	}
}
