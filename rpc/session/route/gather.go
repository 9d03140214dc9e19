package route

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// gathers returns the sessions whose answers make that to a call, where these
// are several: all that work in the folders it is about.
func (b *backend) gathers(def tools.Definition, c session.Call, peers []*session.Peer) []*session.Peer {
	if !def.Merges() || len(peers) < 2 {
		return nil
	}
	roots := b.roots(c.Roots)
	paths := def.About(c.Arguments).Paths
	subjects := b.subjects(paths, c, roots)
	if subjects[0].named {
		if !b.isFolder(paths[0], c) {
			return nil
		}
		roots = []root{{real: subjects[0].real}}
	}
	peers = slices.DeleteFunc(slices.Clone(peers), func(p *session.Peer) bool { return !overlaps(p, roots) })
	if len(peers) < 2 {
		return nil
	}
	return peers
}

// isFolder reports whether the path that a call names is one.
func (b *backend) isFolder(path string, c session.Call) bool {
	gate := b.Core.GateFor(c.Roots)
	p, err := gate.Resolve(path, nil)
	if err == nil {
		_, err = gate.Stat(p)
	}
	return fault.KindOf(err) == fault.IsDirectory
}

// gather asks several sessions, and makes one answer of theirs. ok is false
// where no two are left, or none answers.
func (b *backend) gather(ctx context.Context, def tools.Definition, c session.Call, peers []*session.Peer) (a session.Answer, ok bool, err error) {
	if len(peers) == 0 {
		return session.Answer{}, false, nil
	}
	ask := c
	ask.Form, ask.Notes, ask.Progress, ask.Ask = form.JSON, nil, nil, nil
	parts := make([]tools.Part, len(peers))
	_ = parallel.ForEach(ctx, maxAskedAtOnce, len(peers), func(ctx context.Context, i int) error {
		parts[i] = b.part(ctx, def, ask, peers[i])
		return nil
	})
	if ctx.Err() != nil {
		return session.Answer{}, false, fault.From(ctx.Err())
	}
	parts = slices.DeleteFunc(parts, func(p tools.Part) bool { return session.IsGone(p.Err) })
	if len(parts) < 2 || !slices.ContainsFunc(parts, func(p tools.Part) bool { return p.Err == nil }) {
		return session.Answer{}, false, nil
	}
	a, err = session.Encode(ctx, c, def.Merge(parts).Within(c.Client, c.Arguments))
	return a, true, err
}

// part is one session's answer. Its error is errGone when the session ended.
func (b *backend) part(ctx context.Context, def tools.Definition, c session.Call, p *session.Peer) tools.Part {
	part := tools.Part{Editor: p.Who()}
	for range maxRoutes {
		conn, err := p.Attach(ctx)
		if err != nil {
			part.Err = unreachable(p, err)
			if session.IsGone(err) {
				part.Err = err
			}
			return part
		}
		a, _, err := b.inSession(ctx, def, c, target{peer: p, conn: conn})
		part.Raw, part.Err = a.Raw, err
		if !session.IsGone(err) {
			break
		}
		part.Err = unreachable(p, err) // the connection ended; whether the session did, a new one shows
	}
	return part
}
