package buffers

import (
	"context"
	"sync"
)

// Feed tells of documents as they are opened, changed, saved and closed: of
// each the last state that was not told. Who makes one closes it.
type Feed struct {
	store *Store
	some  chan struct{} // holds a token when something may wait

	mu    sync.Mutex
	order []string // keys, who changed first is first
	last  map[string]Event
}

// Event is the state of a document after one or several events.
type Event struct {
	Document *Document
	Closed   bool // it is open no more; Document is its last state
}

// Feed returns a feed of what happens from now on.
func (s *Store) Feed() *Feed {
	f := &Feed{store: s, some: make(chan struct{}, 1), last: make(map[string]Event)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.feeds[f] = true
	return f
}

// Close ends the feed.
func (f *Feed) Close() {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	delete(f.store.feeds, f)
}

// Next waits for an event. ok is false when ctx ended.
func (f *Feed) Next(ctx context.Context) (e Event, ok bool) {
	for {
		if e, ok := f.take(); ok {
			return e, true
		}
		select {
		case <-ctx.Done():
			return Event{}, false
		case <-f.some:
		}
	}
}

func (f *Feed) take() (e Event, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.order) == 0 {
		return Event{}, false
	}
	key := f.order[0]
	f.order = f.order[1:]
	e = f.last[key]
	delete(f.last, key)
	return e, true
}

func (f *Feed) add(e Event) {
	key := e.Document.key
	f.mu.Lock()
	if _, waits := f.last[key]; !waits {
		f.order = append(f.order, key)
	}
	f.last[key] = e
	f.mu.Unlock()
	select {
	case f.some <- struct{}{}:
	default:
	}
}
