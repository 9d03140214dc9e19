package tools

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// requestsOf makes of a language server's edit what a call wants of files, each guarded
// by the hash of the text that the server saw. Errors are permission_denied, where a
// file is not the caller's to change, and those of reading the files.
func requestsOf(ctx context.Context, env *toolcall.Env, edit *toolcall.ServerEdit) ([]change.FileRequest, error) {
	b := requestBuilder{env: env, byKey: make(map[string]int)}
	for _, f := range edit.Files {
		if err := b.add(ctx, f); err != nil {
			return nil, err
		}
	}
	for i := range b.files {
		b.finish(i)
	}
	return b.files, nil
}

// requestBuilder collects requests: a server may name a file several times, and by
// another name once it has moved it.
type requestBuilder struct {
	env   *toolcall.Env
	files []change.FileRequest
	edits [][]toolcall.ServerTextEdit
	byKey map[string]int // by the key of the name that a file has by then
}

func (b *requestBuilder) add(ctx context.Context, f toolcall.ServerFileEdit) error {
	if err := b.mayChange(f.Path); err != nil {
		return err
	}
	switch f.Kind {
	case "create":
		b.byKey[f.Path.Key()] = len(b.files)
		b.files, b.edits = append(b.files, change.FileRequest{Kind: change.KindCreate, Path: nameOfPath(f.Path)}), append(b.edits, nil)
		return nil
	case "rename":
		if err := b.mayChange(f.To); err != nil {
			return err
		}
	}
	i, err := b.request(ctx, f.Path)
	if err != nil {
		return err
	}
	switch f.Kind {
	case "rename":
		b.files[i].Kind, b.files[i].To = change.KindMove, nameOfPath(f.To)
		delete(b.byKey, f.Path.Key())
		b.byKey[f.To.Key()] = i
	case "delete":
		b.files[i].Kind = change.KindDelete
	}
	b.edits[i] = append(b.edits[i], f.Edits...)
	return nil
}

// mayChange refuses files that are outside the workspace folders, or that policy keeps
// from agents. The latter are not named.
func (b *requestBuilder) mayChange(p workspace.Path) error {
	switch {
	case p.Outside() && b.env.Snapshot.Overlay.Get(p.Key()) == nil:
		return fault.New(fault.OutsideWorkspace, "the language server's edit reaches a file outside the workspace folders; nothing was changed").
			Advise("What is defined elsewhere, as in a library, cannot be changed from here.")
	case b.env.Snapshot.Gate.CheckRead(p) != nil:
		return fault.New(fault.PermissionDenied, "the language server's edit reaches a file that policy keeps from agents; nothing was changed").
			Advise("Ask the person to make the change in the editor.")
	}
	return nil
}

// request returns the place of the request for a file.
func (b *requestBuilder) request(ctx context.Context, p workspace.Path) (int, error) {
	if i, known := b.byKey[p.Key()]; known {
		return i, nil
	}
	f, err := b.env.Snapshot.File(ctx, p, "")
	if err != nil {
		return 0, err
	}
	b.byKey[p.Key()] = len(b.files)
	b.files = append(b.files, change.FileRequest{Path: nameOfPath(p), Expected: f.Hash.String()})
	b.edits = append(b.edits, nil)
	return len(b.files) - 1, nil
}

// nameOfPath is an argument that names the path.
func nameOfPath(p workspace.Path) string {
	if p.Untitled() {
		return p.URI
	}
	return p.Abs
}

// finish puts the edits of a file into its request.
func (b *requestBuilder) finish(i int) {
	f, list := &b.files[i], b.edits[i]
	find := func(t text.Text) ([]diff.Edit, locate.Match, error) {
		edits, err := editsIn(t, list)
		return edits, locate.MatchNone, err
	}
	switch {
	case f.Kind == change.KindCreate:
		if edits, err := editsIn(text.Text{}, list); err == nil {
			f.Content = diff.Apply(text.Text{}, edits).String()
		}
	case f.Kind != change.KindDelete && (len(list) > 0 || f.Kind == change.KindEdit):
		f.Find = find
	}
}

// editsIn returns edits as those of a text, in order. Errors are not_applied, for
// places that the text does not have, and overlapping_edits.
func editsIn(t text.Text, list []toolcall.ServerTextEdit) ([]diff.Edit, error) {
	edits := make([]diff.Edit, 0, len(list))
	for _, e := range list {
		span, there := e.Range.In(t)
		if !there {
			return nil, fault.New(fault.NotApplied, "the language server's edit is of another text: line %d is not there; nothing was changed", e.Range.Start.Line+1).
				Advise("Call again.")
		}
		edits = append(edits, diff.Edit{Span: span, New: e.New})
	}
	slices.SortStableFunc(edits, func(a, b diff.Edit) int { return a.Span.Start - b.Span.Start })
	return edits, diff.Check(t, edits)
}
