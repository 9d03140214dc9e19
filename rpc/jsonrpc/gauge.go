package jsonrpc

import "sync"

// gauge is a number that goes up and down and can be waited for. Its zero
// value is ready and holds 0.
type gauge struct {
	mu        sync.Mutex
	n         int
	decreased chan struct{} // closed at the next decrease; nil while nobody waits
}

func (g *gauge) add(d int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += d
	if d < 0 && g.decreased != nil {
		close(g.decreased)
		g.decreased = nil
	}
}

// reached reports whether the gauge is at most limit.
func (g *gauge) reached(limit int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n <= limit
}

// waitAtMost waits until the gauge is at most limit; it is false when done
// was closed first.
func (g *gauge) waitAtMost(limit int, done <-chan struct{}) bool {
	for {
		decreased, ok := g.atMost(limit)
		if ok {
			return true
		}
		select {
		case <-decreased:
		case <-done:
			return false
		}
	}
}

// atMost returns a channel to wait on when the gauge is over limit.
func (g *gauge) atMost(limit int) (decreased <-chan struct{}, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n <= limit {
		return nil, true
	}
	if g.decreased == nil {
		g.decreased = make(chan struct{})
	}
	return g.decreased, false
}
