package route

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Backend answers calls from the sessions that are live, or from disk.
type Backend interface {
	// Call runs a tool. What a tool cannot do is an answer with a kind; the
	// error is for calls that none answered: cancelled, and invalid_params for
	// a tool that does not exist.
	Call(ctx context.Context, c session.Call) (session.Answer, error)
	// Attached returns the live sessions that share a folder with the
	// backend's roots, the closest first.
	Attached(ctx context.Context) []session.Registration
	// Documents returns what is open in the live sessions that share a folder
	// with the backend, and of others what lies in its folders; the newest
	// session's are first.
	Documents(ctx context.Context) []session.Document
	// Watch tells changed of these documents as they are opened, changed, saved
	// or closed, in sessions that come later, too, until stop is called. Several
	// changes of one may be told as one; hash and dirty are not. One without
	// URI stands for all that a session has open, when it is found and, closed,
	// when it ended. changed must not block.
	Watch(changed func(session.Document)) (stop func())
	// Close ends what the backend holds. Calls that run are cancelled.
	Close()
}

// Config is what a [Backend] is made of.
type Config struct {
	// Router finds the sessions; the backend closes it.
	Router *session.Router
	// Core answers from disk. Its gate's folders are those that paths are
	// relative to. Its owner closes it, after the backend.
	Core *core.Core
	// Limit keeps calls to the folders that they or Core name. Without it, one
	// folder that lies in a session's widens to that; see [workspace.Folder].
	Limit bool
	// Home is the person's home folder; "" when it is not known.
	Home string
	// Complete gives the calls that are answered from disk what their front
	// adds. It may be nil.
	Complete func(*toolcall.Env, session.Call)
	// Log takes what happens; never source text.
	Log *slog.Logger
}

// New returns a backend that answers from live sessions, or from disk.
func New(config Config) Backend {
	b := &backend{Config: config, tools: make(map[string]tools.Definition)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	for _, d := range tools.All() {
		b.tools[d.Name] = d
		b.names = append(b.names, d.Name)
	}
	return b
}

type backend struct {
	Config
	tools   map[string]tools.Definition
	names   []string // of tools, in order
	own     atomic.Pointer[ownRoots]
	clients attachedClients

	ctx    context.Context // ends with the backend
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// Close implements [Backend].
func (b *backend) Close() {
	b.cancel()
	b.work.Wait()
	b.Router.Close()
}

// unattached is what an answer without a session says, with the session that
// was asked for, unless the call is about what lies outside of that.
func (b *backend) unattached(outside bool) string {
	if only := b.Router.Only(); only != "" && !outside {
		return session.Unattached + ": " + absent(only)
	}
	return session.Unattached
}

// newNotes returns the notes of an answer without those that the client knows: that
// no editor is attached is said when it changes, and of every change of files.
func (b *backend) newNotes(def tools.Definition, c session.Call, notes []string) []string {
	if !c.Quiet && !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, session.Unattached) }) {
		b.clients.add(c.Client) // editors are there, though none was asked
	}
	var news []string
	for _, n := range notes {
		switch {
		case n != session.Unattached:
			news = append(news, n)
		case !def.ReadOnly:
			news = append(news, session.UnattachedShort)
		case !c.Quiet && b.clients.remove(c.Client):
			news = append(news, n)
		}
	}
	return news
}

func absent(only string) string {
	return "the session " + strconv.Quote(only) + ", which was asked for, is not there"
}

// mayChange refuses what would change files behind the back of the one session
// that was asked for.
func (b *backend) mayChange(def tools.Definition, t target) error {
	only := b.Router.Only()
	if only == "" || def.ReadOnly || t.outside {
		return nil
	}
	return fault.New(fault.NoEditor, "%s; nothing was changed", absent(only)).
		Advise("Start it, name another one (agent-lsp sessions lists them), or unset AGENT_LSP_SESSION to work without.")
}

// maxShown is how much of a name that nobody knows is repeated, in bytes.
const maxShown = 64

// maxRoutes is how often a call is routed anew because the session that it
// went to ended.
const maxRoutes = 3

// Call implements [Backend].
func (b *backend) Call(ctx context.Context, c session.Call) (session.Answer, error) {
	def, ok := b.tools[c.Tool]
	if !ok {
		return session.Answer{}, fault.New(fault.InvalidParams, "there is no tool %q; the tools are %s", c.Tool[:min(len(c.Tool), maxShown)], strings.Join(b.names, ", "))
	}
	b.Router.SetClient(c.Client)
	c.Notes = slices.Concat(c.Notes, b.Core.Notices())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.ctx, cancel)()
	if def.Local {
		return b.onDisk(ctx, def, c)
	}
	named := c.Roots
	for try := 1; ; try++ {
		peers := b.Router.Peers()
		c.Roots = b.within(named, peers)
		if a, ok, err := b.gather(ctx, def, c, b.gathers(def, c, peers)); ok || err != nil {
			return a, err
		}
		t, err := b.route(ctx, def, c, peers)
		if err != nil {
			return session.Encode(ctx, c, toolcall.Failed(err))
		}
		run := c
		run.Extra, run.Notes = t.extra, slices.Concat(c.Notes, b.newNotes(def, c, t.notes))
		run.Notes = run.Notes[:min(len(run.Notes), session.MaxNotes)]
		if t.conn == nil {
			if err := b.mayChange(def, t); err != nil {
				return session.Encode(ctx, c, toolcall.Failed(err))
			}
			return b.onDisk(ctx, def, run)
		}
		a, sent, err := b.inSession(ctx, def, run, t)
		switch {
		case err == nil:
			a.Session = &t.peer.Registration
			return a, nil
		case ctx.Err() != nil:
			return session.Answer{}, fault.From(ctx.Err())
		case !session.IsLost(err): // the session's own words
			return session.Encode(ctx, c, toolcall.Failed(err))
		case sent && !def.ReadOnly:
			return session.Encode(ctx, c, toolcall.Failed(b.unknown(ctx, def, c, t.peer, err)))
		case try == maxRoutes:
			return session.Encode(ctx, c, toolcall.Failed(unreachable(t.peer, err)))
		}
	}
}

// inSession runs a call in a session. An edit is sent to one that gives a sign
// of life only: what is sent may land whenever the session wakes up.
func (b *backend) inSession(ctx context.Context, def tools.Definition, c session.Call, t target) (a session.Answer, sent bool, err error) {
	if !def.ReadOnly {
		if err := t.conn.Ping(ctx); err != nil {
			return session.Answer{}, false, err
		}
	}
	c.Changes = !def.ReadOnly
	roots := b.roots(c.Roots)
	c.Roots = nil
	if !sameRoots(t.peer, roots) {
		for _, r := range roots {
			c.Roots = append(c.Roots, r.Folder)
		}
	}
	return t.conn.Call(ctx, c)
}

// onDisk answers a call in this process.
func (b *backend) onDisk(ctx context.Context, def tools.Definition, c session.Call) (session.Answer, error) {
	defer b.Core.Prepare()
	env := b.Core.EnvFor(b.Core.Store.Overlay(), b.Core.GateFor(c.Roots))
	defer func() { env.Close() }()
	env.Client, env.Progress, env.Ask = c.Client, c.Progress, c.Ask
	env.Show(session.PeerDocuments(c.Extra))
	if c.Quiet {
		env.Usage = nil
	}
	if b.Complete != nil {
		b.Complete(env, c)
	}
	result := def.Call(ctx, env, c.Arguments)
	if result.Err != nil && result.Err.Kind == fault.Internal {
		b.Log.Error("a tool failed", "tool", def.Name, "error", result.Err.Message)
	}
	return session.Encode(ctx, c, result)
}

// Attached implements [Backend].
func (b *backend) Attached(ctx context.Context) []session.Registration {
	var list []session.Registration
	roots := b.roots(nil)
	peers := slices.DeleteFunc(slices.Clone(b.Router.Peers()), func(p *session.Peer) bool { return !overlaps(p, roots) })
	for _, e := range b.each(ctx, peers, nil) {
		if e.err == nil {
			list = append(list, e.peer.Registration)
		}
	}
	return list
}

// Documents implements [Backend].
func (b *backend) Documents(ctx context.Context) []session.Document {
	var list []session.Document
	roots := b.roots(nil)
	for _, a := range b.each(ctx, b.Router.Peers(), func(*session.Peer) *session.Query { return new(session.Query) }) {
		for _, d := range a.documents {
			if concerns(a.peer, &d.Document, roots) {
				d.Session = a.peer.PID
				list = append(list, d.Document)
			}
		}
	}
	return list
}

// concerns reports whether who works in roots shall know of a session's document:
// another project's are not its business.
func concerns(p *session.Peer, d *session.Document, roots []root) bool {
	return overlaps(p, roots) || slices.ContainsFunc(roots, func(r root) bool {
		return session.IsBelow(r.real, d.Real) || session.IsBelow(r.Path, d.Path)
	})
}

// unknown is the error for an edit that was sent to a session which did not
// answer any more: with what the files hold on disk now.
func (b *backend) unknown(ctx context.Context, def tools.Definition, c session.Call, p *session.Peer, why error) error {
	how := "ended"
	if errors.Is(why, session.ErrSilent) {
		how = "stopped answering"
	}
	e := fault.New(fault.OutcomeUnknown, "%s %s while the edit was on its way", p.Who(), how)
	s := buffers.NewSnapshot(b.Core.Store.Overlay(), b.Core.GateFor(c.Roots), b.Core.Disk)
	defer s.Close()
	hashes := make(map[string]string)
	for _, arg := range def.About(c.Arguments).Paths {
		at, err := s.Resolve(arg)
		if err != nil {
			continue
		}
		if f, err := s.File(ctx, at, ""); err == nil {
			hashes[at.Rel] = f.Hash.String()
			e = e.At(at.Rel).With("actual", f.Hash.String())
		}
	}
	if len(hashes) != 1 {
		e = e.At("").With("actual", hashes)
	}
	advice := []string{"Read what it changes to see what is there now."}
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		advice = append(advice, "On disk "+name+" is "+hashes[name]+".")
	}
	return e.Advise("%s", strings.Join(advice, " "))
}
