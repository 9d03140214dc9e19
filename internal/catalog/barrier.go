package catalog

import (
	"context"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxBarrier is how long a call waits for what the system has yet to tell. It
// is a last guard: an answer takes some tenths of a millisecond.
const maxBarrier = 50 * time.Millisecond

// barrier waits until all that happened before has been told: a file of our
// own is changed, and what the system tells comes in the order in which it
// happened. Where there is no such file, nothing is waited for.
type barrier struct {
	file *fsys.BarrierFile // nil where the system has none

	waiting sync.Mutex // one at a time waits, so that a change is its own
	mu      sync.Mutex
	waiter  chan struct{} // closed when its change is told
	late    int           // changes that were not told in time, and may come yet
}

// wait returns when all that happened before the call has been told, or that
// cannot be waited for. It returns false when ctx ends, and after maxBarrier, as
// on a machine that is very busy: anything may have happened then.
func (b *barrier) wait(ctx context.Context) bool {
	b.waiting.Lock()
	defer b.waiting.Unlock()
	if b.file == nil {
		return true
	}
	told := make(chan struct{})
	b.mu.Lock()
	b.waiter = told
	b.mu.Unlock()
	if !b.file.Change() {
		return false
	}
	guard := time.NewTimer(maxBarrier)
	defer guard.Stop()
	select {
	case <-told:
		return true
	case <-ctx.Done():
	case <-guard.C:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiter != nil {
		b.late++
	}
	return false
}

// take reports whether what the system told is a change of the barrier's file.
func (b *barrier) take(name string) bool {
	if b.file == nil || name != b.file.Path {
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

// lost says that some of what happened will never be told, changes of the
// barrier's file perhaps: none is waited for any more.
func (b *barrier) lost() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late, b.waiter = 0, nil
}

// close frees the file. Nothing is told any more.
func (b *barrier) close() {
	b.waiting.Lock()
	defer b.waiting.Unlock()
	if b.file != nil {
		b.file.Close()
		b.file = nil
	}
}
