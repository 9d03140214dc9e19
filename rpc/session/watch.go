package session

import (
	"context"
	"sync"
	"time"
)

// watchEvery is how often a watch looks for sessions that are new.
const watchEvery = time.Second

// Watch implements [Backend].
func (b *backend) Watch(changed func(Document)) (stop func()) {
	ctx, cancel := context.WithCancel(b.ctx)
	w := &watcher{backend: b, changed: changed, running: make(map[*link]bool)}
	w.look(ctx)
	b.work.Go(func() { w.run(ctx) })
	return cancel
}

// watcher keeps a watch in each session that there is.
type watcher struct {
	*backend
	changed func(Document)
	watches sync.WaitGroup

	mu      sync.Mutex
	running map[*link]bool
}

func (w *watcher) run(ctx context.Context) {
	defer w.watches.Wait()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.look(ctx)
		}
	}
}

// look begins a watch in each session without one, and returns when those that
// answer have begun.
func (w *watcher) look(ctx context.Context) {
	var begun sync.WaitGroup
	for _, p := range w.Router.Peers() {
		w.mu.Lock()
		known := w.running[p.link]
		w.running[p.link] = true
		w.mu.Unlock()
		if known {
			continue
		}
		begun.Add(1)
		w.watches.Go(func() {
			w.watch(ctx, p, sync.OnceFunc(begun.Done))
			w.mu.Lock()
			delete(w.running, p.link)
			w.mu.Unlock()
		})
	}
	begun.Wait()
}

// watch tells of one session's documents until it ends. begun is called when
// nothing can be missed any more, or nothing will come.
func (w *watcher) watch(ctx context.Context, p *Peer, begun func()) {
	defer begun()
	c, err := p.attach(ctx)
	if err != nil {
		return
	}
	_, _, _ = c.do(ctx, &message{Do: doWatch}, &asked{event: func(d Document) {
		begun()
		if d.URI != "" {
			d.Session = p.PID
			w.changed(d)
		}
	}})
}
