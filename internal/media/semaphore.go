package media

import (
	"context"
	"fmt"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// semaphoreSlots is how many files are worked on at a time: each may take
// maxDecodedBytes, and the file itself.
const semaphoreSlots = 2

// Semaphore is where files that are no plain text are worked on, a few at a time,
// however many calls come. It may be used from any goroutine.
type Semaphore struct{ slots chan struct{} }

// NewSemaphore returns a desk that nobody works at.
func NewSemaphore() *Semaphore { return &Semaphore{slots: make(chan struct{}, semaphoreSlots)} }

// Acquire waits for a place at the desk; leave must be called once. The error is
// that of ctx.
func (d *Semaphore) Acquire(ctx context.Context) (leave func(), err error) {
	select {
	case d.slots <- struct{}{}:
		return func() { <-d.slots }, nil
	case <-ctx.Done():
		return nil, fault.From(ctx.Err())
	}
}

// guarded runs f, which hands foreign bytes to a decoder, and makes its panics
// errors.
func guarded[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the decoder failed: %v", r)
		}
	}()
	return f()
}
