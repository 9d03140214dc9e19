package session

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
	"github.com/agent-lsp/agent-lsp/tools"
)

// BackendConfig is what a [Backend] is made of.
type BackendConfig struct {
	// Router finds the sessions; the backend closes it.
	Router *Router
	// Core answers from disk. Its gate's folders are those that paths are
	// relative to. Its owner closes it, after the backend.
	Core *tools.Core
	// Limit keeps calls to the folders that they or Core name. Without it, one
	// folder that lies in a session's widens to that; see [workspace.Folder].
	Limit bool
	// Home is the person's home folder; "" when it is not known.
	Home string
	// Complete gives the calls that are answered from disk what their front
	// adds. It may be nil.
	Complete func(*tools.Env, Call)
	// Log takes what happens; never source text.
	Log *slog.Logger
}

// NewBackend returns a backend that answers from live sessions, or from disk.
func NewBackend(config BackendConfig) Backend {
	b := &backend{BackendConfig: config, tools: make(map[string]tools.Definition)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	for _, d := range tools.All() {
		b.tools[d.Name] = d
		b.names = append(b.names, d.Name)
	}
	return b
}

type backend struct {
	BackendConfig
	tools map[string]tools.Definition
	names []string // of tools, in order
	own   atomic.Pointer[ownRoots]
	told  told

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

// unattached is what an answer without a session says, and alone the same in the
// answer to every change of files.
const (
	unattached = "no editor is attached"
	alone      = "no editor"
)

// unattached is that, with the session that was asked for, unless the call is
// about what lies outside of that.
func (b *backend) unattached(outside bool) string {
	if only := b.Router.config.Only; only != "" && !outside {
		return unattached + ": " + absent(only)
	}
	return unattached
}

// news returns the notes of an answer without those that the client knows: that
// no editor is attached is said when it changes, and of every change of files.
func (b *backend) news(def tools.Definition, c Call, notes []string) []string {
	if !c.Quiet && !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, unattached) }) {
		b.told.editor(c.Client) // editors are there, though none was asked
	}
	var news []string
	for _, n := range notes {
		switch {
		case n != unattached:
			news = append(news, n)
		case !def.ReadOnly:
			news = append(news, alone)
		case !c.Quiet && b.told.isNews(c.Client):
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
	only := b.Router.config.Only
	if only == "" || def.ReadOnly || t.outside {
		return nil
	}
	return fault.New(fault.NoEditor, "%s; nothing was changed", absent(only)).
		Advise("Start it, name another one (agent-lsp sessions lists them), or unset AGENT_LSP_SESSION to work without.")
}

// maxRoutes is how often a call is routed anew because the session that it
// went to ended.
const maxRoutes = 3

// Call implements [Backend].
func (b *backend) Call(ctx context.Context, c Call) (Answer, error) {
	def, ok := b.tools[c.Tool]
	if !ok {
		return Answer{}, fault.New(fault.InvalidParams, "there is no tool %q; the tools are %s", shown(c.Tool), strings.Join(b.names, ", "))
	}
	if c.Client.Name != "" && b.Router.client.Load().Name != c.Client.Name {
		b.Router.client.Store(&c.Client)
	}
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
			return Encode(ctx, c, tools.Failed(err))
		}
		run := c
		run.Extra, run.Notes = t.extra, slices.Concat(c.Notes, b.news(def, c, t.notes))
		run.Notes = run.Notes[:min(len(run.Notes), maxNotes)]
		if t.conn == nil {
			if err := b.mayChange(def, t); err != nil {
				return Encode(ctx, c, tools.Failed(err))
			}
			return b.onDisk(ctx, def, run)
		}
		a, sent, err := b.inSession(ctx, def, run, t)
		switch {
		case err == nil:
			a.Session = &t.peer.Registration
			return a, nil
		case ctx.Err() != nil:
			return Answer{}, fault.From(ctx.Err())
		case !isLost(err): // the session's own words
			return Encode(ctx, c, tools.Failed(err))
		case sent && !def.ReadOnly:
			return Encode(ctx, c, tools.Failed(b.unknown(ctx, def, c, t.peer, err)))
		case try == maxRoutes:
			return Encode(ctx, c, tools.Failed(t.peer.unasked(err)))
		}
	}
}

// isLost tells whether the connection is what failed.
func isLost(err error) bool { return isGone(err) || errors.Is(err, errSilent) }

func isGone(err error) bool { return errors.Is(err, errGone) }

// inSession runs a call in a session. An edit is sent to one that gives a sign
// of life only: what is sent may land whenever the session wakes up.
func (b *backend) inSession(ctx context.Context, def tools.Definition, c Call, t target) (a Answer, sent bool, err error) {
	if !def.ReadOnly {
		if err := t.conn.ping(ctx); err != nil {
			return Answer{}, false, err
		}
	}
	c.changes = !def.ReadOnly
	roots := b.roots(c.Roots)
	c.Roots = nil
	if !sameRoots(t.peer, roots) {
		for _, r := range roots {
			c.Roots = append(c.Roots, r.Folder)
		}
	}
	return t.conn.call(ctx, c)
}

// onDisk answers a call in this process.
func (b *backend) onDisk(ctx context.Context, def tools.Definition, c Call) (Answer, error) {
	defer b.Core.Prepare()
	env := b.Core.EnvFor(b.Core.Store.Overlay(), b.Core.GateFor(c.Roots))
	defer func() { env.Close() }()
	env.Client, env.Progress, env.Ask = c.Client, c.Progress, c.Ask
	env.Show(Foreign(c.Extra))
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
	return Encode(ctx, c, result)
}

// Encode makes the answer to a call of a tool's result.
func Encode(ctx context.Context, c Call, r tools.Result) (Answer, error) {
	if r.Err != nil && r.Err.Kind == fault.Cancelled && ctx.Err() != nil {
		return Answer{}, r.Err
	}
	for _, n := range c.Notes {
		if (n == unattached || n == alone) && r.Err != nil {
			continue // nothing was changed or shown that an editor might have otherwise
		}
		r = r.Note(n)
	}
	if c.Form == tools.FormText {
		r = r.ForPeople()
	}
	raw, err := r.Encode(make([]byte, 0, r.Size(c.Form)), c.Form)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Raw: raw}
	if r.Err != nil {
		a.Kind = r.Err.Kind
	}
	if c.Form == tools.FormText {
		a.Header, a.Body = len(r.Header), len(r.Body)
	}
	return a, nil
}

// Attached implements [Backend].
func (b *backend) Attached(ctx context.Context) []Registration {
	var list []Registration
	roots := b.roots(nil)
	peers := slices.DeleteFunc(slices.Clone(b.Router.Peers()), func(p *Peer) bool { return !p.overlaps(roots) })
	for _, e := range b.each(ctx, peers, nil) {
		if e.err == nil {
			list = append(list, e.peer.Registration)
		}
	}
	return list
}

// Documents implements [Backend].
func (b *backend) Documents(ctx context.Context) []Document {
	var list []Document
	roots := b.roots(nil)
	for _, a := range b.each(ctx, b.Router.Peers(), func(*Peer) *Query { return new(Query) }) {
		for _, d := range a.documents {
			if a.peer.concerns(&d.Document, roots) {
				d.Session = a.peer.PID
				list = append(list, d.Document)
			}
		}
	}
	return list
}

// concerns tells whether who works in roots shall know of a session's document:
// another project's are not its business.
func (p *Peer) concerns(d *Document, roots []root) bool {
	return p.overlaps(roots) || slices.ContainsFunc(roots, func(r root) bool {
		return isBelow(r.real, d.Real) || isBelow(r.Path, d.Path)
	})
}

// unknown is the error for an edit that was sent to a session which did not
// answer any more: with what the files hold on disk now.
func (b *backend) unknown(ctx context.Context, def tools.Definition, c Call, p *Peer, why error) error {
	how := "ended"
	if errors.Is(why, errSilent) {
		how = "stopped answering"
	}
	e := fault.New(fault.OutcomeUnknown, "%s %s while the edit was on its way", p.who(), how)
	s := buffers.NewSnapshot(b.Core.Store.Overlay(), b.Core.GateFor(c.Roots), b.Core.Disk)
	defer s.Close()
	hashes := make(map[string]string)
	for _, arg := range def.Paths(c.Arguments) {
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
