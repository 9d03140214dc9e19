package route

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// routePast sends a call about an earlier change to the process that made it:
// this one, or a session's. known is false when none of them remembers it.
func (b *backend) routePast(ctx context.Context, def tools.Definition, c session.Call, id string, peers []*session.Peer) (t target, known bool, err error) {
	ask := session.Call{Client: c.Client, Form: form.JSON, Roots: c.Roots, Quiet: true} // nobody is told that it was looked up
	ask.Tool, ask.Arguments = tools.HistoryCall(id)
	answer, err := b.onDisk(ctx, b.tools[ask.Tool], ask)
	if err != nil {
		return target{}, false, err
	}
	t.notes = []string{b.unattached(len(peers) > 0)}
	t.outside = len(peers) > 0 // what this process changed it takes back itself
	var others []peerAnswer    // all attached at once: some may not answer
	if answer.IsError() {
		others = b.each(ctx, peers, nil)
	}
	for i := 0; answer.IsError(); i++ {
		if i == len(others) {
			return target{}, false, ctx.Err()
		}
		if others[i].err != nil {
			continue
		}
		t = target{peer: others[i].peer, conn: others[i].conn}
		if answer, _, err = b.inSession(ctx, b.tools[ask.Tool], ask, t); err != nil {
			answer.Kind = fault.KindOf(err)
		}
	}
	if def.ReadOnly {
		return t, true, nil
	}
	return t, true, b.nobodyElse(ctx, def, c, tools.HistoryFiles(answer.Raw), t.peer, peers)
}

// nobodyElse refuses to take back a change of files that another session has
// open by now.
func (b *backend) nobodyElse(ctx context.Context, def tools.Definition, c session.Call, paths []string, owner *session.Peer, peers []*session.Peer) error {
	var subjects []subject
	for _, p := range paths {
		if at, ok := subjectOf(b.Core.GateFor(c.Roots), p, b.roots(c.Roots)); ok {
			subjects = append(subjects, at)
		}
	}
	q := queryOf(subjects)
	if q == nil {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(peers), func(p *session.Peer) bool { return p == owner })
	asked := b.each(ctx, others, func(*session.Peer) *session.Query { return q })
	if _, err := concerned(def, asked, subjects); err != nil {
		return err
	}
	for _, a := range asked {
		for _, d := range a.documents {
			return fault.New(fault.NotApplied, "%s has the file open by now, and did not make the change; nothing was changed", a.peer.Who()).
				At(cmp.Or(d.Path, d.URI)).
				Advise("Read the file, and make the change that is wanted by edit_file.")
		}
	}
	return ctx.Err()
}
