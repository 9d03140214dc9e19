package session

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// RouterConfig is what a router is made with.
type RouterConfig struct {
	// Folders are where sessions are looked for; see [FindFolders].
	Folders []string
	// Only keeps to one session: its process id, or its socket's path. "" takes
	// all.
	Only string
	// Client and Version are told to the sessions; who calls stands for Client.
	Client  toolcall.Client
	Version string
	Log     *slog.Logger
	Now     func() time.Time
}

// Router keeps connections to the live sessions. It notices those that come and
// go when it is asked for them. It is safe for concurrent use.
type Router struct {
	config RouterConfig
	here   fsys.MachineID
	client atomic.Pointer[toolcall.Client] // who called last

	mu     sync.Mutex
	closed bool
	asked  bool    // the folders were read
	stamps []stamp // of the folders, as they were read
	peers  []*Peer // the newest first; never changed in place
	ending []*link // of sessions that are registered no more: what they still answer counts
}

// stamp is a folder's state when it was read.
type stamp struct {
	modified time.Time
	stable   bool // a change since would show in modified
}

// NewRouter returns a router without connections. Its owner closes it.
func NewRouter(config RouterConfig) *Router {
	r := &Router{config: config, here: fsys.ThisMachine(), stamps: make([]stamp, len(config.Folders))}
	r.client.Store(&config.Client)
	return r
}

// Close ends all connections.
func (r *Router) Close() {
	r.mu.Lock()
	links := r.ending
	for _, p := range r.peers {
		links = append(links, p.link)
	}
	r.peers, r.ending, r.closed = nil, nil, true
	r.mu.Unlock()
	for _, l := range links {
		l.close()
	}
}

// Only returns the one session that the router keeps to; "" when it takes all.
func (r *Router) Only() string { return r.config.Only }

// SetClient tells sessions that are attached from now on who calls.
func (r *Router) SetClient(c toolcall.Client) {
	if c.Name != "" && r.client.Load().Name != c.Name {
		r.client.Store(&c)
	}
}

// Peer is a registered session.
type Peer struct {
	Registration
	// sockets are those in the folders after the first in which it is registered: a
	// sandbox may let this process connect to one of them alone.
	sockets []string
	roots   []string // real paths of Roots
	forced  bool     // it was chosen by name: no other is asked
	link    *link
}

// Peers returns the sessions that are registered, the newest first.
func (r *Router) Peers() []*Peer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || !r.stale() {
		return r.peers
	}
	registrations := r.registrations()
	links := make(map[string]*link, len(r.peers))
	for _, p := range r.peers {
		links[p.Name()] = p.link
	}
	r.peers = nil
	for _, registration := range once(registrations) {
		l := links[registration.Name()]
		if l == nil {
			l = &link{router: r, attaching: make(chan struct{}, 1)}
		}
		delete(links, registration.Name())
		p := &Peer{registration, nil, RealPaths(registration.Roots), r.config.Only != "", l}
		for _, of := range registrations {
			if of.Name() == p.Name() && of.Socket != p.Socket {
				p.sockets = append(p.sockets, of.Socket)
			}
		}
		r.peers = append(r.peers, p)
	}
	r.ending = slices.DeleteFunc(append(r.ending, slices.Collect(maps.Values(links))...), (*link).over)
	slices.SortStableFunc(r.peers, func(a, b *Peer) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.PID, b.PID)) })
	return r.peers
}

// stableAfter is how old a folder's time must be so that no later change can
// carry the same.
const stableAfter = 100 * time.Millisecond

// stale reports whether a folder may have changed since the last call, and notes
// its state.
func (r *Router) stale() bool {
	stale := false
	for i, folder := range r.config.Folders {
		var now stamp
		if modified, err := fsys.Modified(folder); err == nil {
			now = stamp{modified, r.config.Now().Sub(modified) > stableAfter}
		} else {
			now.stable = true
		}
		stale = stale || now != r.stamps[i] || !now.stable
		r.stamps[i] = now
	}
	first := !r.asked
	r.asked = true
	return stale || first
}

// registrations reads the folders. One that cannot be read now, because this
// process is out of descriptors perhaps, has the sessions that are known, and is
// read again.
func (r *Router) registrations() []Registration {
	if filepath.IsAbs(r.config.Only) {
		return []Registration{registrationAt(r.config.Only)}
	}
	var all []Registration
	for i, folder := range r.config.Folders {
		list, problems, err := readFolder(folder)
		if err != nil && fault.KindOf(err) != fault.NotFound {
			problems = append(problems, err)
		}
		if fault.KindOf(err) == fault.IO {
			r.stamps[i].stable = false
			for _, p := range r.peers {
				if filepath.Dir(p.Socket) == folder {
					all = append(all, p.Registration)
				}
			}
		}
		for _, p := range problems {
			r.config.Log.Warn("sessions", "problem", p)
		}
		for _, registered := range list {
			if here := r.here.Same(registered.machine()); here && (r.config.Only == "" || r.config.Only == strconv.Itoa(registered.PID)) {
				all = append(all, registered.Registration)
			}
		}
	}
	return all
}

// registrationAt returns what is registered beside a socket; without that, it
// is whoever listens there.
func registrationAt(socket string) Registration {
	list, _, _ := readFolder(filepath.Dir(socket))
	for _, r := range list {
		if r.Socket == socket {
			return r.Registration
		}
	}
	return Registration{Socket: socket, Protocol: OldestProtocol, Newest: Protocol}
}

// RealPaths returns paths with links resolved, where that is possible.
func RealPaths(paths []string) []string {
	real := make([]string, len(paths))
	for i, p := range paths {
		r, err := fsys.RealPath(p)
		if err != nil {
			r = p
		}
		real[i] = r
	}
	return real
}

// RealRoots returns the real paths of the session's folders, in their order.
func (p *Peer) RealRoots() []string { return p.roots }

// Forced reports whether the session was chosen by name: no other is asked.
func (p *Peer) Forced() bool { return p.forced }

// Overlaps reports whether a folder, by its real path, lies in one of the
// session's, or around one.
func (p *Peer) Overlaps(real string) bool {
	return p.Closeness(real) >= 0 || slices.ContainsFunc(p.roots, func(of string) bool { return IsBelow(real, of) })
}

// Holds reports whether a folder lies in the session's.
func (p *Peer) Holds(folder string) bool { return p.Closeness(RealPaths([]string{folder})[0]) >= 0 }

// Closeness tells how near a session's folders are to a real path: the length
// of the folder that holds it, -1 when none does.
func (p *Peer) Closeness(real string) int {
	best := -1
	if p.forced && p.PID == 0 { // what its folders are it did not register
		best = 0
	}
	for _, root := range p.roots {
		if IsBelow(root, real) {
			best = max(best, len(root))
		}
	}
	return best
}

// link is the connection to one session.
type link struct {
	router    *Router
	attaching chan struct{} // whose holder may attach

	mu     sync.Mutex
	conn   *Conn
	failed error     // of the last try to attach
	until  time.Time // no new try before
	tries  int       // that failed since one did not
	closed bool
	had    map[string]bool // what it was last known to have open; see [Document.key]
}

// maxKnown is how many open documents of a session are remembered.
const maxKnown = 10_000

// Learn notes what the session said that it has open of what it was asked for.
func (p *Peer) Learn(q *Query, open []PeerDocument) {
	l := p.link
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range q.Of {
		delete(l.had, cmp.Or(n.Real, n.Path, n.URI))
	}
	if l.had == nil || len(l.had) > maxKnown {
		l.had = make(map[string]bool)
	}
	for _, d := range open {
		l.had[d.Key()] = true
	}
}

// Knew reports whether the session had a document of one of these names open
// when it was last asked.
func (p *Peer) Knew(names ...string) bool {
	l := p.link
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool { return l.had[name] })
}

// retryAfter is how long a session that did not answer is left alone; twice and
// four times as long when it does not answer again.
const retryAfter = 3 * time.Second

// Attach returns a live connection. Errors: ErrGone, ErrSilent, that of ctx, or
// a fault that tells why this program and the session cannot talk.
func (p *Peer) Attach(ctx context.Context) (*Conn, error) {
	l := p.link
	if c, err := l.known(); c != nil || err != nil && p.listened(ctx) {
		return c, err
	}
	select {
	case l.attaching <- struct{}{}:
		defer func() { <-l.attaching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c, err := l.known(); c != nil || err != nil && p.listened(ctx) {
		return c, err
	}
	if err := p.Compatible(); err != nil {
		return nil, err
	}
	c, err := p.dial(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return l.attached(c, err)
}

// dial connects to the first of the session's sockets that this process may
// connect to. All of them together have AttachTimeout: a process that says nothing
// at one says nothing at the others. What is left of a session that nobody listens
// for is removed.
func (p *Peer) dial(ctx context.Context) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, AttachTimeout)
	defer cancel()
	router := p.link.router
	var failed error
	for _, socket := range p.allSockets() {
		r := p.Registration
		r.Socket = socket
		c, err := dial(ctx, r, *router.client.Load(), router.config.Version, router.config.Now)
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		if refused(err) {
			router.forget(r)
		}
		if failed == nil || IsGone(failed) {
			failed = err // one that cannot be reached may live
		}
	}
	return nil, failed
}

func (p *Peer) allSockets() []string { return append([]string{p.Socket}, p.sockets...) }

// listened reports whether somebody may still listen for a session that did not
// answer: one that was killed since is gone, and not left alone for a while.
func (p *Peer) listened(ctx context.Context) bool {
	for _, socket := range p.allSockets() {
		c, err := dialAt(ctx, socket)
		if err == nil {
			c.Close()
		}
		if err == nil || !refused(err) {
			return true
		}
	}
	return false
}

// known returns the live connection, or why there is none now; neither when it
// is time to try.
func (l *link) known() (*Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, ErrGone
	case l.conn != nil && l.conn.live():
		return l.conn, nil
	case l.conn != nil: // it ended
		if err := l.conn.why(); !errors.Is(err, ErrGone) {
			l.fail(err)
		}
		l.conn = nil
	}
	if l.failed != nil && l.router.config.Now().Before(l.until) {
		return nil, l.failed
	}
	return nil, nil
}

func (l *link) attached(c *Conn, err error) (*Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.fail(err)
		return nil, err
	case l.closed:
		c.end(ErrGone)
		return nil, ErrGone
	}
	l.conn, l.failed, l.tries = c, nil, 0
	return c, nil
}

// fail notes why there is no connection, and how long there will be none. The
// caller holds l.mu.
func (l *link) fail(err error) {
	l.failed, l.until = err, l.router.config.Now().Add(retryAfter<<min(l.tries, 2))
	l.tries++
}

// over reports whether nothing is left of the connection; then there will be no
// other one either.
func (l *link) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = l.closed || l.conn == nil || l.conn.over()
	return l.closed
}

func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	c := l.conn
	l.mu.Unlock()
	if c != nil {
		c.close()
	}
}

// forget removes what is left of a session that nobody listens for.
func (r *Router) forget(gone Registration) {
	folder := filepath.Dir(gone.Socket)
	if !slices.Contains(r.config.Folders, folder) {
		return
	}
	root, err := fsys.OpenPrivate(folder, false)
	if err != nil {
		return
	}
	defer root.Close()
	name := strings.TrimSuffix(filepath.Base(gone.Socket), socketEnd)
	if err := removeFiles(root, name); err != nil {
		r.config.Log.Warn("what is left of a session cannot be removed", "error", err)
	}
}

// Check waits for a sign of life. Errors: no_editor when the session ended,
// timeout when it does not answer, and why this program cannot talk to it.
func (p *Peer) Check(ctx context.Context) error {
	c, err := p.Attach(ctx)
	if err == nil {
		err = c.Ping(ctx)
	}
	if errors.Is(err, ErrSilent) {
		return fault.New(fault.Timeout, "%s does not answer", p.Who()).Advise("Look at that editor; it may have to be restarted.")
	}
	return err
}
