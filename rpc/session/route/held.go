package route

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Held is an open document and the session that has it, for a program that asks
// sessions and nothing else: where there is none it does not answer from disk.
type Held struct {
	session.Document
	conn *session.Conn
}

// Open returns the open documents of the files at paths, which are absolute, of
// the session that has them. Only sessions are asked whose folders have to do with
// one of the paths or with folder, the working directory, and those without folders.
// A document that policy keeps from agents is among them by its names alone.
//
// Errors: session_unreachable when a session that may have one of them open cannot
// be asked, conflicting_buffers when several have it with different texts.
func Open(ctx context.Context, r *session.Router, folder string, paths []string) ([]Held, error) {
	peers := near(r, append(session.RealPaths(paths), session.RealPaths([]string{folder})...))
	if len(peers) == 0 || len(paths) == 0 {
		return nil, nil
	}
	var subjects []subject
	for _, path := range paths {
		subjects = append(subjects, subject{real: session.RealPaths([]string{path})[0], shown: path, named: true})
	}
	q := queryOf(subjects)
	asked := askEach(ctx, peers, func(*session.Peer) *session.Query { return q })
	if _, err := concerned(tools.Definition{}, asked, subjects); err != nil {
		return nil, err
	}
	holder, err := holderOf(asked)
	if holder == nil || err != nil {
		return nil, err
	}
	return heldBy(*holder), nil
}

// Unsaved returns the documents below folders, or below the folders of a session in
// which the first of them lies, that are not saved. Documents that policy keeps from agents are
// not told. Sessions that cannot be asked, and those whose folders
// have nothing to do with these, are passed over.
func Unsaved(ctx context.Context, r *session.Router, folders ...string) []Held {
	real := session.RealPaths(folders)
	below := func(p *session.Peer) *session.Query {
		q := &session.Query{Below: slices.Clone(real)}
		for _, root := range p.RealRoots() {
			if len(real) > 0 && session.IsBelow(root, real[0]) {
				q.Below = append(q.Below, root)
			}
		}
		return q
	}
	var list []Held
	for _, a := range askEach(ctx, near(r, real), below) {
		for _, h := range heldBy(a) {
			if h.Dirty || h.OutOfSync != "" {
				list = append(list, h)
			}
		}
	}
	return list
}

// Tell tells of a host's command in a folder the sessions in whose folders it lies,
// or whose folders lie below it. Those that cannot be asked, or know no commands, as
// those of 0.1, are passed over.
func Tell(ctx context.Context, r *session.Router, folder string, client toolcall.Client, command session.Command) {
	real := session.RealPaths([]string{folder})[0]
	peers := near(r, []string{real})
	_ = parallel.ForEach(ctx, maxAskedAtOnce, len(peers), func(ctx context.Context, i int) error {
		if c, err := peers[i].Attach(ctx); err == nil {
			_ = c.Tell(ctx, client, command) // it is for the history alone
		}
		return nil
	})
}

// near returns the sessions in whose folders one of the real paths lies, or whose
// folders lie below one, and those that have no folders.
func near(r *session.Router, paths []string) []*session.Peer {
	return slices.DeleteFunc(slices.Clone(r.Peers()), func(p *session.Peer) bool {
		return len(p.RealRoots()) > 0 && !slices.ContainsFunc(p.RealRoots(), func(root string) bool {
			return slices.ContainsFunc(paths, func(path string) bool {
				return path != "" && (session.IsBelow(root, path) || session.IsBelow(path, root))
			})
		})
	})
}

func heldBy(a peerAnswer) []Held {
	var list []Held
	for _, d := range a.documents {
		list = append(list, Held{d.Document, a.conn})
	}
	return list
}

// Call runs a tool in the session that has the document. Paths are relative to
// the session's folders, or absolute.
func (h Held) Call(ctx context.Context, c session.Call) (session.Answer, error) {
	a, _, err := h.conn.Call(ctx, c)
	return a, err
}
