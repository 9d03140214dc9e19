package tools

import (
	"context"
	"fmt"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// followMoves adds to a patch that moves files what language servers change with that,
// such as imports. What they do not say, or may not change, is left as it is. It returns
// notes for the answer.
func (c *patchCall) followMoves(ctx context.Context, r *change.Request) (notes []string) {
	if c.env.Editor == nil {
		return nil
	}
	var moves [][2]workspace.Path
	for i := range c.patch.Files {
		f := &c.patch.Files[i]
		if f.Op != diff.PatchMove {
			continue
		}
		from, err := c.env.Snapshot.Resolve(f.Path)
		to, err2 := c.env.Snapshot.Resolve(f.To)
		if err == nil && err2 == nil {
			moves = append(moves, [2]workspace.Path{from, to})
		}
	}
	if len(moves) == 0 {
		return nil
	}
	said, err := c.env.Editor.WillRename(ctx, c.env.Snapshot, moves)
	if err != nil {
		return []string{"what follows from the move, such as imports, was not asked of language servers: " + fault.From(err).Message}
	}
	for i := range said {
		notes = append(notes, c.follow(ctx, r, &said[i])...)
	}
	return notes
}

// follow adds one server's edits.
func (c *patchCall) follow(ctx context.Context, r *change.Request, said *toolcall.ServerEdit) (notes []string) {
	b := requestBuilder{env: c.env, byKey: make(map[string]int)}
	left := 0
	for _, f := range said.Files {
		if f.Kind != "" || b.add(ctx, f) != nil {
			left++
		}
	}
	taken := 0
	for i := range b.files {
		b.finish(i)
		switch at := c.requestFor(r, b.files[i]); {
		case at < 0:
			r.Files = append(r.Files, b.files[i])
			taken++
		case c.isPresent(ctx, &r.Files[at]):
			r.Files[at].Find = bothFind(r.Files[at].Find, b.files[i].Find)
			taken++
		default:
			left++ // the patch is for another text than the servers saw
		}
	}
	if taken > 0 {
		notes = append(notes, fmt.Sprintf("by %s: %s changed with the move", wording.OneLine(said.By), wording.Plural(taken, "file", "files")))
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%s of what %s would change with the move: make it by edits", wording.Plural(left, "file is left out", "files are left out"), wording.OneLine(said.By)))
	}
	return notes
}

// requestFor returns the place of the request for the same file; -1 for none.
func (c *patchCall) requestFor(r *change.Request, f change.FileRequest) int {
	p, err := c.env.Snapshot.Resolve(f.Path)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(r.Files, func(of change.FileRequest) bool {
		q, err := c.env.Snapshot.Resolve(of.Path)
		return err == nil && q.Key() == p.Key() && of.Kind != change.KindCreate
	})
}

// isPresent reports whether a request is for the present text of its file.
func (c *patchCall) isPresent(ctx context.Context, f *change.FileRequest) bool {
	file, err := c.env.File(ctx, f.Path, "")
	if err != nil {
		return false
	}
	h, known, err := c.env.HashNamed("expected_hashes", f.Expected, file)
	return err == nil && known && h == file.Hash
}

// bothFind finds the edits of a patch, and those of a server where they touch none of
// these.
func bothFind(patch, server change.FindEdits) change.FindEdits {
	if patch == nil {
		return server
	}
	return func(t text.Text) ([]diff.Edit, locate.Match, error) {
		edits, match, err := patch(t)
		if err != nil {
			return nil, match, err
		}
		more, _, err := server(t)
		if err != nil {
			return nil, match, err
		}
		for _, m := range more {
			touches := func(e diff.Edit) bool { return e.Span.Start <= m.Span.End && m.Span.Start <= e.Span.End }
			if !slices.ContainsFunc(edits, touches) {
				edits = append(edits, m)
			}
		}
		slices.SortStableFunc(edits, func(a, b diff.Edit) int { return a.Span.Start - b.Span.Start })
		return edits, match, nil
	}
}
