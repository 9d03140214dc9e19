package mcp

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// watchPause is how long changes are gathered before clients hear of them.
	watchPause = 50 * time.Millisecond
	// diskPoll is how often the files are looked at that clients subscribed
	// to, while there are any: of those that are open, sessions tell at once.
	diskPoll = time.Second
	// maxWatched is how many resources clients may subscribe to, all together.
	maxWatched = 1000
)

// watcher tells clients what changes, from the first time that one asks.
type watcher struct {
	server *server
	list   bufferList
	asked  chan struct{} // closed when somebody wants to know anything
	once   sync.Once
	events chan struct{} // has something when a session told of a change

	mu   sync.Mutex
	subs map[string]*subscription // by URI
}

// subscription is a resource that clients watch.
type subscription struct {
	clients map[*mcp.ServerSession]int // how often each subscribed
	hash    string                     // of the text that they know of; "" of one that is gone
}

func newWatcher(s *server) *watcher {
	return &watcher{server: s, asked: make(chan struct{}), events: make(chan struct{}, 1), subs: make(map[string]*subscription)}
}

func (w *watcher) begin() { w.once.Do(func() { close(w.asked) }) }

func (w *watcher) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	uri := r.Params.URI
	hash, err := w.hashOf(ctx, uri, "")
	if err != nil {
		return mcp.ResourceNotFoundError(uri)
	}
	w.begin()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.subs[uri] == nil {
		if len(w.subs) >= maxWatched {
			return failed(jsonrpc.CodeInvalidParams, "too many resources are subscribed to: unsubscribe from others first")
		}
		w.subs[uri] = &subscription{hash: hash, clients: make(map[*mcp.ServerSession]int)}
	}
	w.subs[uri].clients[r.Session]++
	return nil
}

func (w *watcher) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.subs[r.Params.URI]
	if s == nil {
		return nil
	}
	if s.clients[r.Session]--; s.clients[r.Session] <= 0 {
		delete(s.clients, r.Session)
	}
	if len(s.clients) == 0 {
		delete(w.subs, r.Params.URI)
	}
	return nil
}

// run watches until ctx ends.
func (w *watcher) run(ctx context.Context) {
	select {
	case <-w.asked:
	case <-ctx.Done():
		return
	}
	defer w.server.config.Backend.Watch(w.changed)()
	tick := time.NewTicker(diskPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-w.events:
			select {
			case <-ctx.Done():
				return
			case <-time.After(watchPause):
			}
			w.list.sync(ctx, w.server)
		}
		w.notifyChanged(ctx)
	}
}

func (w *watcher) changed(session.Document) {
	select {
	case w.events <- struct{}{}:
	default:
	}
}

// notifyChanged tells the subscribers of what is another text by now.
func (w *watcher) notifyChanged(ctx context.Context) {
	for uri, known := range w.known() {
		hash, err := w.hashOf(ctx, uri, known)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			hash = "" // it is gone: that is news too
		}
		if hash == known || !w.note(uri, hash) {
			continue
		}
		if err := w.server.sdk.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			w.server.config.Log.Warn("a subscriber was not told", "error", err)
		}
	}
}

// known returns the hashes by URI. Clients that ended without a word, as over
// HTTP, leave nothing.
func (w *watcher) known() map[string]string {
	live := make(map[*mcp.ServerSession]bool)
	for s := range w.server.sdk.Sessions() {
		live[s] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	known := make(map[string]string, len(w.subs))
	for uri, s := range w.subs {
		maps.DeleteFunc(s.clients, func(c *mcp.ServerSession, _ int) bool { return !live[c] })
		if len(s.clients) == 0 {
			delete(w.subs, uri)
			continue
		}
		known[uri] = s.hash
	}
	return known
}

// note remembers the present hash. It returns false when nobody watches any
// more.
func (w *watcher) note(uri, hash string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.subs[uri]
	if s != nil {
		s.hash = hash
	}
	return s != nil
}

// hashOf returns the hash of the present text.
func (w *watcher) hashOf(ctx context.Context, uri, known string) (string, error) {
	arguments := map[string]any{"path": uri, "start_byte": 0, "max_bytes": 1, "expand": "lines", "outline": "never", "allow_binary": true}
	if known != "" {
		arguments["if_hash"] = known
	}
	p, err := w.server.readPage(ctx, session.Call{Client: toolcall.Client{ID: w.server.id}, Quiet: true}, arguments)
	if err != nil {
		return "", err
	}
	if p.Structured.Unmodified {
		return known, nil
	}
	return p.Structured.Hash, nil
}
