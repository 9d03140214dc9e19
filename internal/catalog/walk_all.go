package catalog

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// WalkAll is [Catalog.Walk] over all of g's folders, with what is ignored.
// Folders that are not there hold nothing.
func (c *Catalog) WalkAll(ctx context.Context, g *workspace.Gate) (*Files, error) {
	var lists []*Files
	for _, r := range g.Roots() {
		files, err := c.Walk(ctx, g, g.Path(r.Path), true)
		switch {
		case fault.KindOf(err) == fault.NotFound:
		case err != nil:
			return nil, err
		default:
			lists = append(lists, files)
		}
	}
	if len(lists) == 0 {
		return &Files{gate: g}, nil
	}
	return JoinFiles(lists...), nil
}
