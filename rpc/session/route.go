package session

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
	"github.com/agent-lsp/agent-lsp/tools"
)

// target is where a call goes: to a session, or to the disk when conn is nil.
type target struct {
	peer  *Peer
	conn  *conn
	notes []string
	extra []ForeignDocument
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
			roots[i] = root{f, realPaths([]string{f.Path})[0]}
		}
	}
	return roots
}

// sameRoots tells whether paths mean the same to a session as they do to the
// call.
func sameRoots(p *Peer, roots []root) bool {
	return len(roots) == 1 && len(p.roots) == 1 && p.roots[0] == roots[0].real
}

func (p *Peer) overlaps(roots []root) bool {
	return p.forced || slices.ContainsFunc(roots, func(r root) bool {
		return p.closeness(r.real) >= 0 || slices.ContainsFunc(p.roots, func(of string) bool { return isBelow(r.real, of) })
	})
}

// route decides who answers a call. The error is the answer where none may.
func (b *backend) route(ctx context.Context, def tools.Definition, c Call, peers []*Peer) (target, error) {
	if len(peers) == 0 {
		return target{notes: []string{b.unattached(false)}}, nil
	}
	roots := b.roots(c.Roots)
	if id := def.PastID(c.Arguments); id != "" {
		if t, known, err := b.routePast(ctx, def, c, id, peers); known || err != nil {
			return t, err
		}
	}
	subjects := b.subjects(def, c, roots)
	if len(peers) == 1 && peers[0].holdsAll(subjects) {
		// Whatever the one session has open, it knows best.
		if conn, err := peers[0].attach(ctx); err == nil {
			return target{peer: peers[0], conn: conn}, nil
		}
	}
	peers = byCloseness(peers, subjects)
	switch {
	case def.Several && len(subjects) > 1 && subjects[0].named:
		if t, ok := b.routeSeveral(ctx, peers, subjects); ok {
			return t, nil
		}
		return b.routeWide(ctx, def, peers, subjects, roots)
	case def.Wide && !b.anyOpen(ctx, peers, subjects), def.Several && !subjects[0].named:
		return b.routeWide(ctx, def, peers, subjects, roots)
	}
	return b.routePaths(ctx, def, peers, subjects, roots)
}

// routeSeveral sends a read of several files to the session that serves all of
// them, where no other has one of them open.
func (b *backend) routeSeveral(ctx context.Context, peers []*Peer, subjects []subject) (t target, ok bool) {
	q := queryOf(subjects)
	for _, a := range b.each(ctx, peers, func(*Peer) *Query { return q }) {
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

// anyOpen tells whether a session has one of the subjects open: then a search is
// one of a file, and goes where reading that file would.
func (b *backend) anyOpen(ctx context.Context, peers []*Peer, subjects []subject) bool {
	q := queryOf(subjects)
	return q != nil && slices.ContainsFunc(b.each(ctx, peers, func(*Peer) *Query { return q }), func(a asking) bool { return len(a.documents) > 0 })
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
func (b *backend) subjects(def tools.Definition, c Call, roots []root) []subject {
	var list []subject
	gate := b.Core.GateFor(c.Roots)
	for _, arg := range def.Paths(c.Arguments) {
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
		if isBelow(r.Path, p.Abs) {
			at.real, at.stray = filepath.Join(r.real, p.Abs[len(r.Path):]), false
			break
		}
	}
	return at, true
}

// holdsAll tells whether all subjects are in a session's folders.
func (p *Peer) holdsAll(subjects []subject) bool {
	return !slices.ContainsFunc(subjects, func(at subject) bool { return at.real == "" || p.closeness(at.real) < 0 })
}

// byCloseness orders sessions: those whose folder is closest to the first subject
// come first, and of these the newest.
func byCloseness(peers []*Peer, subjects []subject) []*Peer {
	peers = slices.Clone(peers)
	slices.SortStableFunc(peers, func(a, b *Peer) int {
		return cmp.Compare(b.closeness(subjects[0].real), a.closeness(subjects[0].real))
	})
	return peers
}

// asking is what a session said when it was asked for documents.
type asking struct {
	peer      *Peer
	conn      *conn
	documents []ForeignDocument
	err       error
}

// maxAsking is how many sessions are asked at once.
const maxAsking = 16

// each attaches to all peers and asks them for documents, where query gives a
// query. Sessions that ended are left out.
func (b *backend) each(ctx context.Context, peers []*Peer, query func(*Peer) *Query) []asking {
	return askEach(ctx, peers, query)
}

func askEach(ctx context.Context, peers []*Peer, query func(*Peer) *Query) []asking {
	all := make([]asking, len(peers))
	_ = parallel.ForEach(ctx, maxAsking, len(peers), func(ctx context.Context, i int) error {
		all[i] = peers[i].ask(ctx, query)
		return nil
	})
	return slices.DeleteFunc(all, func(a asking) bool { return a.peer == nil || isGone(a.err) })
}

func (p *Peer) ask(ctx context.Context, query func(*Peer) *Query) asking {
	a := asking{peer: p}
	var q *Query
	if query != nil {
		q = query(p)
	}
	for range maxRoutes {
		if a.conn, a.err = p.attach(ctx); a.err != nil || q == nil {
			return a
		}
		if a.documents, a.err = a.conn.documents(ctx, *q); !isGone(a.err) {
			break
		}
		a.err = errSilent // the connection ended; whether the session did, a new one shows
	}
	if a.err == nil {
		p.link.learn(q, a.documents)
	}
	return a
}

// routePaths sends a call to the session that has its files open; where none
// has, to the session whose folders hold them.
func (b *backend) routePaths(ctx context.Context, def tools.Definition, peers []*Peer, subjects []subject, roots []root) (target, error) {
	q := queryOf(subjects)
	asked := b.each(ctx, peers, func(*Peer) *Query { return q })
	if err := ctx.Err(); err != nil {
		return target{}, err
	}
	notes, err := concerned(def, asked, subjects)
	if err != nil {
		return target{}, err
	}
	asked = slices.DeleteFunc(asked, func(a asking) bool { return a.err != nil })
	nearUntitled(asked, roots)
	holder, err := holderOf(asked)
	if err != nil {
		return target{}, err
	}
	if i := slices.IndexFunc(asked, func(a asking) bool {
		return a.peer.holdsAll(subjects) || !subjects[0].named && a.peer.overlaps(roots)
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
func besides(def tools.Definition, asked []asking, holder *asking, subjects []subject, roots []root) string {
	var others []string
	for i, a := range asked {
		if concerns := !def.ReadOnly && len(a.documents) > 0 || !subjects[0].named && a.peer.overlaps(roots); concerns && &asked[i] != holder {
			others = append(others, a.peer.who())
		}
	}
	switch {
	case len(others) == 0:
		return ""
	case subjects[0].named:
		return "also open in " + strings.Join(others, ", ") + ", where it is not changed"
	}
	return "this is of " + holder.peer.who() + " alone, not of " + strings.Join(others, ", ")
}

// queryOf asks for the documents at subjects; nil when they are no documents.
func queryOf(subjects []subject) *Query {
	var q Query
	for _, at := range subjects {
		switch {
		case !at.named:
		case at.uri != "":
			q.Of = append(q.Of, Name{URI: at.uri})
		case at.real != "":
			n := Name{Path: at.real}
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
func concerned(def tools.Definition, asked []asking, subjects []subject) (notes []string, err error) {
	for _, a := range asked {
		if a.err == nil || !slices.ContainsFunc(subjects, a.peer.mayHave) {
			continue
		}
		if !def.ReadOnly {
			return nil, a.peer.unasked(a.err)
		}
		notes = append(notes, "what "+a.peer.who()+" did not save is not known: "+fault.From(a.peer.unasked(a.err)).Message)
	}
	return notes, nil
}

// mayHave tells whether a session may have something open though it cannot be
// asked: it lies in its folders, or was open when it could be.
func (p *Peer) mayHave(at subject) bool {
	return p.closeness(at.real) >= 0 || p.link.knew(at)
}

// unasked is the error for a file that a session may have open which cannot be
// asked.
func (p *Peer) unasked(err error) error {
	const advice = "It may have the file open, so nothing was changed."
	if isLost(err) {
		return fault.New(fault.SessionUnreachable, "%s does not answer", p.who()).
			Advise(advice + " Try again when it answers, or close it.")
	}
	why := fault.From(err)
	return fault.New(fault.SessionUnreachable, "%s", why.Message).Advise("%s %s", advice, why.Hint)
}
