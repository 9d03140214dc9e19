package catalog

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Walk returns the regular files at and below p, which may itself be ignored,
// a file, in policy.readOnlyRoots, or lead through links that stay where
// agents may read; the files are listed where they really are. Below p the
// rules of ignore files and hidden names hold, unless includeIgnored. What
// policy keeps from agents is left out in any case, and so is what git keeps
// in .git. Nothing is remembered for the next call.
//
// Errors are those of [workspace.Gate.Open], but a folder is none, and ctx's.
func (c *Catalog) Walk(ctx context.Context, g *workspace.Gate, p workspace.Path, includeIgnored bool) (*Files, error) {
	if err := g.Unlisted(p); err != nil {
		return nil, err
	}
	at, err := g.OpenFolder(p)
	if e := fault.From(err); e != nil && e.Kind == fault.NotFound {
		e.Message = "no such file or folder"
	}
	if fault.KindOf(err) == fault.NotDirectory {
		return c.walkFile(g, p)
	}
	if err != nil {
		return nil, err
	}
	at.Dir.Close()
	w := &walker{gate: g, all: includeIgnored, skip: make(map[string]bool)}
	tops := []*node{c.topOf(g, at)}
	for _, r := range g.Roots() {
		real := r.Real()
		if _, inside := fsys.Below(at.Path(), real); !inside || real == at.Path() || w.skip[real] {
			continue
		}
		w.skip[real] = true
		if inner, err := r.OpenFolder("."); err == nil {
			inner.Dir.Close()
			tops = append(tops, c.topOf(g, inner))
		}
	}
	if err := w.walk(ctx, tops); err != nil {
		return nil, err
	}
	slices.SortFunc(tops, func(a, b *node) int { return a.tree.index - b.tree.index })
	out := &Files{gate: g, Generation: c.generation.Add(1)}
	for _, n := range tops {
		n.appendTo(out)
	}
	return out, nil
}

// topOf returns a tree's top that stands at a folder, for one walk.
func (c *Catalog) topOf(g *workspace.Gate, at workspace.OpenedFolder) *node {
	rules, _, name := rulesAbove(g, at, c.excludes)
	t := &folderTree{root: at.Root, dir: at.Open, index: g.IndexOf(at.Root), above: &rules}
	return &node{tree: t, name: name, rel: at.Rel, folded: at.Root.Folds(at.Rel), todo: todoRead}
}

// walkFile lists the one file that p is.
func (c *Catalog) walkFile(g *workspace.Gate, p workspace.Path) (*Files, error) {
	h, err := g.Open(p)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	r, rel, ok := g.LocateReal(h.Real)
	if !ok {
		return nil, workspace.ErrLeadsOut.At(p.Rel)
	}
	return &Files{
		List:       []FileEntry{{Root: g.IndexOf(r), Rel: filepath.ToSlash(rel), ID: h.ID}},
		Generation: c.generation.Add(1),
		gate:       g,
	}, nil
}
