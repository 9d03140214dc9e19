package buffers

import (
	"context"
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Watch receives every text that a document passes through, the ones in the
// middle of a notification included. Its owner must call [Watch.Close].
type Watch struct {
	store *Store
	key   string

	mu    sync.Mutex
	seen  []Seen
	ended bool
	wake  chan struct{} // capacity 1: something is new
}

// Seen is one text that a document had.
type Seen struct {
	Version int32
	Text    text.Text
}

// Watch begins to watch a document, and returns its state at that moment (nil
// when it is not open): the watch sees all that comes after it and nothing
// that came before.
func (s *Store) Watch(key string) (*Watch, *Document) {
	w := &Watch{store: s, key: key, wake: make(chan struct{}, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches[key] = append(s.watches[key], w)
	return w, s.Overlay().Get(key)
}

// Next waits for the next text. ok is false when the document was closed or
// ctx is done.
func (w *Watch) Next(ctx context.Context) (seen Seen, ok bool) {
	for {
		w.mu.Lock()
		if len(w.seen) > 0 {
			seen, w.seen = w.seen[0], w.seen[1:]
			w.mu.Unlock()
			return seen, true
		}
		ended := w.ended
		w.mu.Unlock()
		if ended {
			return Seen{}, false
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return Seen{}, false
		}
	}
}

// Close ends the watch.
func (w *Watch) Close() {
	s := w.store
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches[w.key] = slices.DeleteFunc(s.watches[w.key], func(x *Watch) bool { return x == w })
	if len(s.watches[w.key]) == 0 {
		delete(s.watches, w.key)
	}
}

func (w *Watch) add(seen []Seen) {
	w.mu.Lock()
	w.seen = append(w.seen, seen...)
	w.mu.Unlock()
	w.signal()
}

func (w *Watch) end() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.signal()
}

func (w *Watch) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
