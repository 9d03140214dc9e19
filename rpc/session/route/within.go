package route

import (
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// within returns the folders of a call. Where that is one that lies in a session's
// folder, which is the project that the person works on, the call may name what is
// in that too: the innermost of such folders, and no other of the session. A
// folder that holds the person's home, or everything, is no project.
func (b *backend) within(named []workspace.Folder, peers []*session.Peer) []workspace.Folder {
	if b.Limit || len(peers) == 0 {
		return named
	}
	roots := b.roots(named)
	if len(roots) != 1 {
		return named
	}
	around, at := "", roots[0].real
	depth := -1
	for _, p := range peers {
		for i, real := range p.RealRoots() {
			if session.IsBelow(real, at) && len(real) > depth {
				around, depth = p.Roots[i], len(real)
			}
		}
	}
	if depth < 0 || depth == len(at) || b.holdsHome(at[:depth]) {
		return named
	}
	f := roots[0].Folder
	f.Within = around
	return []workspace.Folder{f}
}

// holdsHome reports whether a real path is that of the home folder, of one around
// it, or of everything.
func (b *backend) holdsHome(real string) bool {
	return filepath.Dir(real) == real || b.Home != "" && session.IsBelow(real, session.RealPaths([]string{b.Home})[0])
}
