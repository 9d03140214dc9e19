package media

import (
	"context"
	"fmt"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// semaphoreSlots is how many files are worked on at a time: each may take
// maxDecodedBytes, and the file itself.
const semaphoreSlots = 2

// Semaphore bounds how many files that are no plain text are worked on at a time,
// however many calls come. It may be used from any goroutine.
type Semaphore struct{ slots chan struct{} }

// NewSemaphore returns a semaphore with all places free.
func NewSemaphore() *Semaphore { return &Semaphore{slots: make(chan struct{}, semaphoreSlots)} }

// Acquire waits for a place; release must be called once. The error is that of
// ctx.
func (s *Semaphore) Acquire(ctx context.Context) (release func(), err error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, fault.From(ctx.Err())
	}
}

// guarded runs f, which hands untrusted bytes to a decoder, and makes its panics
// errors.
func guarded[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the decoder failed: %v", r)
		}
	}()
	return f()
}
