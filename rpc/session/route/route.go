package route

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// target is where a call goes: to a session, or to the disk when conn is nil.
type target struct {
	peer  *session.Peer
	conn  *session.Conn
	notes []string
	extra []session.PeerDocument
	// outside: the sessions that there are have nothing to do with it.
	outside bool
}

// root is a folder that a call is about, and its real path.
type root struct {
	workspace.Folder
	real string
}

// ownRoots are the core's folders under one gate.
type ownRoots struct {
	gate  *workspace.Gate
	roots []root
}

// roots returns the folders of a call; the core's when it names none.
func (b *backend) roots(given []workspace.Folder) []root {
	gate := b.Core.Gate()
	own := b.own.Load()
	if own == nil || own.gate != gate {
		own = &ownRoots{gate, rootsOf(gate.Folders(), nil)}
		b.own.Store(own)
	}
	if len(given) > 0 {
		return rootsOf(given, own.roots)
	}
	return own.roots
}

// rootsOf returns folders with their real paths, which those among known have.
func rootsOf(folders []workspace.Folder, known []root) []root {
	roots := make([]root, len(folders))
	for i, f := range folders {
		if k := slices.IndexFunc(known, func(r root) bool { return r.Path == f.Path }); k >= 0 {
			roots[i] = root{f, known[k].real}
		} else {
			roots[i] = root{f, session.RealPaths([]string{f.Path})[0]}
		}
	}
	return roots
}

// sameRoots reports whether paths mean the same to a session as they do to the
// call.
func sameRoots(p *session.Peer, roots []root) bool {
	real := p.RealRoots()
	return len(roots) == 1 && len(real) == 1 && real[0] == roots[0].real
}

// overlaps reports whether a session has to do with one of the folders, or is
// the one that was asked for.
func overlaps(p *session.Peer, roots []root) bool {
	return p.Forced() || slices.ContainsFunc(roots, func(r root) bool { return p.Overlaps(r.real) })
}

// route decides who answers a call. The error is the answer where none may.
func (b *backend) route(ctx context.Context, def tools.Definition, c session.Call, peers []*session.Peer) (target, error) {
	if len(peers) == 0 {
		return target{notes: []string{b.unattached(false)}}, nil
	}
	roots := b.roots(c.Roots)
	about := def.About(c.Arguments)
	if about.Change != "" {
		if t, known, err := b.routePast(ctx, def, c, about.Change, peers); known || err != nil {
			return t, err
		}
	}
	subjects := b.subjects(about.Paths, c, roots)
	if len(peers) == 1 && holdsAll(peers[0], subjects) {
		// Whatever the one session has open, it knows best.
		if conn, err := peers[0].Attach(ctx); err == nil {
			return target{peer: peers[0], conn: conn}, nil
		}
	}
	peers = byCloseness(peers, subjects)
	switch {
	case about.Separate && len(subjects) > 1 && subjects[0].named:
		if t, ok := b.routeSeveral(ctx, peers, subjects); ok {
			return t, nil
		}
		return b.routeWide(ctx, def, peers, subjects, roots)
	case about.Folders && !b.anyOpen(ctx, peers, subjects), about.Separate && !subjects[0].named:
		return b.routeWide(ctx, def, peers, subjects, roots)
	}
	return b.routePaths(ctx, def, peers, subjects, roots)
}

// routeSeveral sends a read of several files to the session that serves all of
// them, where no other has one of them open.
func (b *backend) routeSeveral(ctx context.Context, peers []*session.Peer, subjects []subject) (t target, ok bool) {
	q := queryOf(subjects)
	for _, a := range b.each(ctx, peers, func(*session.Peer) *session.Query { return q }) {
		serves := a.err == nil && !slices.ContainsFunc(subjects, func(at subject) bool { return !a.serves(at) })
		switch {
		case a.err != nil || !serves && len(a.documents) > 0, serves && t.conn != nil && len(a.documents) > 0:
			return target{}, false
		case serves && t.conn == nil:
			t = target{peer: a.peer, conn: a.conn}
		}
	}
	return t, t.conn != nil
}

// anyOpen reports whether a session has one of the subjects open: then a search is
// one of a file, and goes where reading that file would.
func (b *backend) anyOpen(ctx context.Context, peers []*session.Peer, subjects []subject) bool {
	q := queryOf(subjects)
	return q != nil && slices.ContainsFunc(b.each(ctx, peers, func(*session.Peer) *session.Query { return q }), func(a peerAnswer) bool { return len(a.documents) > 0 })
}

// subject is what a call is about: a file or folder, or a document without a
// file. A call that names neither is about the folders.
type subject struct {
	// real is the real path of a file or folder; of one that this process may
	// not go to, where only its root's links are resolved.
	real  string
	uri   string
	shown string // as the call spells it
	named bool   // by the call
	stray bool   // in none of the caller's folders
}

// subjects returns what a call is about.
func (b *backend) subjects(paths []string, c session.Call, roots []root) []subject {
	var list []subject
	gate := b.Core.GateFor(c.Roots)
	for _, arg := range paths {
		if at, ok := subjectOf(gate, arg, roots); ok {
			list = append(list, at)
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, r := range roots {
		list = append(list, subject{real: r.real})
	}
	return append(list, subject{})[:max(len(list), 1)]
}

// subjectOf returns what a path names; ok is false for one that means nothing
// here, or the same everywhere: kept output.
func subjectOf(gate *workspace.Gate, arg string, roots []root) (at subject, ok bool) {
	p, err := gate.Resolve(arg, nil)
	switch {
	case strings.HasPrefix(arg, workspace.OutputsPrefix):
		return at, false
	case err == nil:
	case fault.KindOf(err) == fault.OutsideWorkspace:
		named := gate.Named(arg)
		if len(named) != 1 {
			return at, false
		}
		p.Abs = named[0]
	case filepath.IsAbs(arg):
		p.Abs = filepath.Clean(arg)
	default:
		if p, err = gate.FromURI(arg); err != nil {
			return at, false
		}
	}
	if p.Untitled() {
		return subject{uri: p.URI, shown: arg, named: true}, true
	}
	at = subject{real: p.Abs, shown: arg, named: true, stray: true}
	if real, ok := gate.Real(p); ok {
		at.real, at.stray = real, false
		return at, true
	}
	for _, r := range roots {
		if session.IsBelow(r.Path, p.Abs) {
			at.real, at.stray = filepath.Join(r.real, p.Abs[len(r.Path):]), false
			break
		}
	}
	return at, true
}

// holdsAll reports whether all subjects are in a session's folders.
func holdsAll(p *session.Peer, subjects []subject) bool {
	return !slices.ContainsFunc(subjects, func(at subject) bool { return at.real == "" || p.Closeness(at.real) < 0 })
}

// byCloseness orders sessions: those whose folder is closest to the first subject
// come first, and of these the newest.
func byCloseness(peers []*session.Peer, subjects []subject) []*session.Peer {
	peers = slices.Clone(peers)
	slices.SortStableFunc(peers, func(a, b *session.Peer) int {
		return cmp.Compare(b.Closeness(subjects[0].real), a.Closeness(subjects[0].real))
	})
	return peers
}

// peerAnswer is what a session said when it was asked for documents.
type peerAnswer struct {
	peer      *session.Peer
	conn      *session.Conn
	documents []session.PeerDocument
	err       error
}

// maxAskedAtOnce is how many sessions are asked at once.
const maxAskedAtOnce = 16

// each attaches to all peers and asks them for documents, where query gives a
// query. Sessions that ended are left out.
func (b *backend) each(ctx context.Context, peers []*session.Peer, query func(*session.Peer) *session.Query) []peerAnswer {
	return askEach(ctx, peers, query)
}

func askEach(ctx context.Context, peers []*session.Peer, query func(*session.Peer) *session.Query) []peerAnswer {
	all := make([]peerAnswer, len(peers))
	_ = parallel.ForEach(ctx, maxAskedAtOnce, len(peers), func(ctx context.Context, i int) error {
		all[i] = ask(ctx, peers[i], query)
		return nil
	})
	return slices.DeleteFunc(all, func(a peerAnswer) bool { return a.peer == nil || session.IsGone(a.err) })
}

func ask(ctx context.Context, p *session.Peer, query func(*session.Peer) *session.Query) peerAnswer {
	a := peerAnswer{peer: p}
	var q *session.Query
	if query != nil {
		q = query(p)
	}
	for range maxRoutes {
		if a.conn, a.err = p.Attach(ctx); a.err != nil || q == nil {
			return a
		}
		if a.documents, a.err = a.conn.Documents(ctx, *q); !session.IsGone(a.err) {
			break
		}
		a.err = session.ErrSilent // the connection ended; whether the session did, a new one shows
	}
	if a.err == nil {
		p.Learn(q, a.documents)
	}
	return a
}

// routePaths sends a call to the session that has its files open; where none
// has, to the session whose folders hold them.
func (b *backend) routePaths(ctx context.Context, def tools.Definition, peers []*session.Peer, subjects []subject, roots []root) (target, error) {
	q := queryOf(subjects)
	asked := b.each(ctx, peers, func(*session.Peer) *session.Query { return q })
	if err := ctx.Err(); err != nil {
		return target{}, err
	}
	notes, err := concerned(def, asked, subjects)
	if err != nil {
		return target{}, err
	}
	asked = slices.DeleteFunc(asked, func(a peerAnswer) bool { return a.err != nil })
	nearUntitled(asked, roots)
	holder, err := holderOf(asked)
	if err != nil {
		return target{}, err
	}
	if i := slices.IndexFunc(asked, func(a peerAnswer) bool {
		return holdsAll(a.peer, subjects) || !subjects[0].named && overlaps(a.peer, roots)
	}); holder == nil && i >= 0 {
		holder = &asked[i]
	}
	if !def.ReadOnly && subjects[0].named {
		if err := onOneSide(asked, holder, subjects); err != nil {
			return target{}, err
		}
	}
	if holder == nil {
		outside := len(asked) > 0
		return target{notes: append(notes, b.unattached(outside)), outside: outside}, nil
	}
	if note := besides(def, asked, holder, subjects, roots); note != "" {
		notes = append(notes, note)
	}
	return target{peer: holder.peer, conn: holder.conn, notes: notes}, nil
}

// besides tells of the other sessions that a call concerns: those that have a
// file open, too, that is edited, and where no file is named those that were
// not asked. It is empty where there are none.
func besides(def tools.Definition, asked []peerAnswer, holder *peerAnswer, subjects []subject, roots []root) string {
	var others []string
	for i, a := range asked {
		if concerns := !def.ReadOnly && len(a.documents) > 0 || !subjects[0].named && overlaps(a.peer, roots); concerns && &asked[i] != holder {
			others = append(others, a.peer.Who())
		}
	}
	switch {
	case len(others) == 0:
		return ""
	case subjects[0].named:
		return "also open in " + strings.Join(others, ", ") + ", where it is not changed"
	}
	return "this is of " + holder.peer.Who() + " alone, not of " + strings.Join(others, ", ")
}

// queryOf asks for the documents at subjects; nil when they are no documents.
func queryOf(subjects []subject) *session.Query {
	var q session.Query
	for _, at := range subjects {
		switch {
		case !at.named:
		case at.uri != "":
			q.Of = append(q.Of, session.Name{URI: at.uri})
		case at.real != "":
			n := session.Name{Path: at.real}
			n.Real, n.Dev, n.Ino = fsys.Identify(at.real)
			q.Of = append(q.Of, n)
		}
	}
	if q.Of == nil {
		return nil
	}
	return &q
}

// concerned looks at the sessions that cannot be asked though they may have a
// call's files open: a read says so, an edit is refused.
func concerned(def tools.Definition, asked []peerAnswer, subjects []subject) (notes []string, err error) {
	for _, a := range asked {
		if a.err == nil || !slices.ContainsFunc(subjects, func(at subject) bool { return mayHave(a.peer, at) }) {
			continue
		}
		if !def.ReadOnly {
			return nil, unreachable(a.peer, a.err)
		}
		notes = append(notes, "what "+a.peer.Who()+" did not save is not known: "+fault.From(unreachable(a.peer, a.err)).Message)
	}
	return notes, nil
}

// mayHave reports whether a session may have something open though it cannot be
// asked: it lies in its folders, or was open when it could be.
func mayHave(p *session.Peer, at subject) bool {
	if p.Closeness(at.real) >= 0 {
		return true
	}
	real, _, _ := fsys.Identify(at.real)
	return p.Knew(at.real, real, at.uri)
}

// unreachable is the error for a file that a session may have open which cannot be
// asked.
func unreachable(p *session.Peer, err error) error {
	const advice = "It may have the file open, so nothing was changed."
	if session.IsLost(err) {
		return fault.New(fault.SessionUnreachable, "%s does not answer", p.Who()).
			Advise(advice + " Try again when it answers, or close it.")
	}
	why := fault.From(err)
	return fault.New(fault.SessionUnreachable, "%s", why.Message).Advise("%s %s", advice, why.Hint)
}
