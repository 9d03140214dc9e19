package catalog

import (
	"context"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Listing is what a folder holds.
type Listing struct {
	// Entries are ordered as people expect: directories first, then by name
	// with numbers by their value. Policy's are not among them.
	Entries []Entry
	// Hidden counts what policy leaves out.
	Hidden int

	derive  sync.Once
	derived any
}

// Derived returns what the first call's f made of the listing: it is kept as
// long as the listing, for one who shows it again and again. Concurrent calls
// wait for the first.
func (l *Listing) Derived(f func() any) any {
	l.derive.Do(func() { l.derived = f() })
	return l.derived
}

// List returns what the folder at p holds, ignored names included and marked.
// p may lie in policy.readOnlyRoots, and lead through links that stay where
// agents may read. The listing is shared and must not be changed.
//
// Errors are those of [workspace.Gate.Open], but not_directory for what is no folder,
// and ctx's.
func (c *Catalog) List(ctx context.Context, g *workspace.Gate, p workspace.Path) (*Listing, error) {
	if err := g.Unlisted(p); err != nil {
		return nil, err
	}
	at, err := g.OpenFolder(p)
	if err != nil {
		return nil, err
	}
	defer at.Dir.Close()
	st, err := at.Dir.Status()
	if err != nil {
		return nil, g.Explain(p, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := c.view(g)
	if v.watch != nil && !v.watch.barrier.wait(ctx) {
		v.lists.clear()
	}
	if l := v.lists.get(at.Path(), st.ID, at.Open, g.AgentTop(at.Root)); l != nil {
		return l, nil
	}
	listing, err := v.readList(ctx, at, st.ID)
	if err != nil {
		return nil, g.Explain(p, err)
	}
	return listing, nil
}
