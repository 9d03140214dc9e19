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
	"github.com/agent-lsp/agent-lsp/tools"
)

// RouterConfig is what a router is made with.
type RouterConfig struct {
	// Folders are where sessions are looked for; see [FindFolders].
	Folders []string
	// Only keeps to one session: its process id, or its socket's path. "" takes
	// all.
	Only string
	// Client and Version are told to the sessions; who calls stands for Client.
	Client  tools.Client
	Version string
	Log     *slog.Logger
	Now     func() time.Time
}

// Router keeps connections to the live sessions. It notices those that come and
// go when it is asked for them. It is safe for concurrent use.
type Router struct {
	config RouterConfig
	here   fsys.MachineID
	client atomic.Pointer[tools.Client] // who called last

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
	settled  bool // a change since would show in modified
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
		links[p.name()] = p.link
	}
	r.peers = nil
	for _, registration := range once(registrations) {
		l := links[registration.name()]
		if l == nil {
			l = &link{router: r, turn: make(chan struct{}, 1)}
		}
		delete(links, registration.name())
		p := &Peer{registration, nil, realPaths(registration.Roots), r.config.Only != "", l}
		for _, of := range registrations {
			if of.name() == p.name() && of.Socket != p.Socket {
				p.sockets = append(p.sockets, of.Socket)
			}
		}
		r.peers = append(r.peers, p)
	}
	r.ending = slices.DeleteFunc(append(r.ending, slices.Collect(maps.Values(links))...), (*link).over)
	slices.SortStableFunc(r.peers, func(a, b *Peer) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.PID, b.PID)) })
	return r.peers
}

// settledAfter is how old a folder's time must be so that no later change can
// carry the same.
const settledAfter = 100 * time.Millisecond

// stale tells whether a folder may have changed since the last call, and notes
// its state.
func (r *Router) stale() bool {
	stale := false
	for i, folder := range r.config.Folders {
		var now stamp
		if modified, err := fsys.Modified(folder); err == nil {
			now = stamp{modified, r.config.Now().Sub(modified) > settledAfter}
		} else {
			now.settled = true
		}
		stale = stale || now != r.stamps[i] || !now.settled
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
			r.stamps[i].settled = false
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

func realPaths(paths []string) []string {
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

// Holds tells whether a folder lies in the session's.
func (p *Peer) Holds(folder string) bool { return p.closeness(realPaths([]string{folder})[0]) >= 0 }

// closeness tells how near a session's folders are to a real path: the length
// of the folder that holds it, -1 when none does.
func (p *Peer) closeness(real string) int {
	best := -1
	if p.forced && p.PID == 0 { // what its folders are it did not register
		best = 0
	}
	for _, root := range p.roots {
		if isBelow(root, real) {
			best = max(best, len(root))
		}
	}
	return best
}

// link is the connection to one session.
type link struct {
	router *Router
	turn   chan struct{} // whose holder may attach

	mu     sync.Mutex
	conn   *conn
	failed error     // of the last try to attach
	until  time.Time // no new try before
	tries  int       // that failed since one did not
	closed bool
	had    map[string]bool // what it was last known to have open; see [Document.key]
}

// maxKnown is how many open documents of a session are remembered.
const maxKnown = 10_000

// learn notes what a session said that it has open of what it was asked for.
func (l *link) learn(q *Query, open []ForeignDocument) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range q.Of {
		delete(l.had, cmp.Or(n.Real, n.Path, n.URI))
	}
	if l.had == nil || len(l.had) > maxKnown {
		l.had = make(map[string]bool)
	}
	for _, d := range open {
		l.had[d.key()] = true
	}
}

// knew tells whether the session had something open when it was last asked.
func (l *link) knew(at subject) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.had) == 0 {
		return false
	}
	real, _, _ := fsys.Identify(at.real)
	return l.had[at.real] || l.had[real] || l.had[at.uri]
}

// retryAfter is how long a session that did not answer is left alone; twice and
// four times as long when it does not answer again.
const retryAfter = 3 * time.Second

// attach returns a live connection. Errors: errGone, errSilent, that of ctx, or
// a fault that tells why this program and the session cannot talk.
func (p *Peer) attach(ctx context.Context) (*conn, error) {
	l := p.link
	if c, err := l.known(); c != nil || err != nil && p.listened(ctx) {
		return c, err
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
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
// connect to. All of them together have attachTimeout: a process that says nothing
// at one says nothing at the others. What is left of a session that nobody listens
// for is removed.
func (p *Peer) dial(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, attachTimeout)
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
		if failed == nil || isGone(failed) {
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
func (l *link) known() (*conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, errGone
	case l.conn != nil && l.conn.live():
		return l.conn, nil
	case l.conn != nil: // it ended
		if err := l.conn.why(); !errors.Is(err, errGone) {
			l.fail(err)
		}
		l.conn = nil
	}
	if l.failed != nil && l.router.config.Now().Before(l.until) {
		return nil, l.failed
	}
	return nil, nil
}

func (l *link) attached(c *conn, err error) (*conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.fail(err)
		return nil, err
	case l.closed:
		c.end(errGone)
		return nil, errGone
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

// over tells whether nothing is left of the connection; then there will be no
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
	c, err := p.attach(ctx)
	if err == nil {
		err = c.ping(ctx)
	}
	if errors.Is(err, errSilent) {
		return fault.New(fault.Timeout, "%s does not answer", p.who()).Advise("Look at that editor; it may have to be restarted.")
	}
	return err
}
