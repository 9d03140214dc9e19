package route

import (
	"context"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// watchEvery is how often a watch looks for sessions that are new.
const watchEvery = time.Second

// Watch implements [Backend].
func (b *backend) Watch(changed func(session.Document)) (stop func()) {
	ctx, cancel := context.WithCancel(b.ctx)
	w := &watcher{backend: b, changed: changed, running: make(map[string]bool)}
	w.watchNew(ctx)
	b.work.Go(func() { w.run(ctx) })
	return cancel
}

// watcher keeps a watch in each session that there is.
type watcher struct {
	*backend
	changed func(session.Document)
	watches sync.WaitGroup

	mu      sync.Mutex
	running map[string]bool // sessions, by their names
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
			w.watchNew(ctx)
		}
	}
}

// watchNew begins a watch in each session without one, and returns when those that
// answer in time have begun.
func (w *watcher) watchNew(ctx context.Context) {
	peers := w.fresh()
	begun := make(chan struct{}, len(peers))
	for _, p := range peers {
		w.watches.Go(func() {
			w.watch(ctx, p, sync.OnceFunc(func() { begun <- struct{}{} }))
			w.mu.Lock()
			delete(w.running, p.Name())
			w.mu.Unlock()
		})
	}
	late := time.NewTimer(session.AttachTimeout)
	defer late.Stop()
	for range peers {
		select {
		case <-begun:
		case <-late.C:
			return
		}
	}
}

// fresh returns the sessions without a watch, and counts them as having one.
func (w *watcher) fresh() []*session.Peer {
	w.mu.Lock()
	defer w.mu.Unlock()
	var peers []*session.Peer
	for _, p := range w.Router.Peers() {
		if !w.running[p.Name()] {
			w.running[p.Name()] = true
			peers = append(peers, p)
		}
	}
	return peers
}

// watch tells of one session's documents until it ends. begun is called when
// nothing can be missed any more, or nothing will come.
func (w *watcher) watch(ctx context.Context, p *session.Peer, begun func()) {
	defer begun()
	c, err := p.Attach(ctx)
	if err != nil {
		return
	}
	c.Watch(ctx, func(d session.Document) {
		begun()
		if d.URI == "" || concerns(p, &d, w.roots(nil)) {
			d.Session = p.PID
			w.changed(d)
		}
	})
	if ctx.Err() == nil {
		w.changed(session.Document{Session: p.PID, Closed: true})
	}
}
