package jsonrpc

import (
	"context"
	"sync"
)

// slot is a call's right to run. It is given up while the call does nothing
// but wait for the client, who may take minutes to answer a question.
type slot struct {
	all     chan struct{} // holds a token for each call that runs
	mu      sync.Mutex
	held    bool // one of the tokens is ours
	waiting int  // goroutines of the call that wait for the client
	over    bool // the call has returned
}

// take waits for a token. The caller holds s.mu, or is alone with s.
func (s *slot) take(ctx context.Context) error {
	select {
	case s.all <- struct{}{}:
		s.held = true
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// drop gives the token back, if there is one. The caller holds s.mu.
func (s *slot) drop() {
	if s.held {
		<-s.all
		s.held = false
	}
}

// free ends the slot.
func (s *slot) free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.drop()
}

// pause gives the token back while one of the call's goroutines waits.
func (s *slot) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
	s.drop()
}

// resume undoes a pause; the last one takes a token again. When ctx ends
// first there is none, but nothing left to do either.
func (s *slot) resume(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting--; s.waiting == 0 && !s.over {
		_ = s.take(ctx)
	}
}
