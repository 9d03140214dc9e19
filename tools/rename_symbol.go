package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var renameSymbol = tool[renameInput, *change.Output]{
	name:     "rename_symbol",
	doc:      `Rename a symbol everywhere, by the language server; all or nothing. Named as for references.`,
	changes:  true,
	about:    aboutPath,
	terminal: Terminal{Arguments: []string{"path", "new_name"}},
	run:      runRenameSymbol,
}

type renameInput struct {
	renamedSymbol
	NewName string          `json:"new_name" jsonschema:"What it is called from now on."`
	DryRun  bool            `json:"dry_run,omitempty" brief:"-" jsonschema:"Answer with the diff and change nothing."`
	Save    change.SaveMode `json:"save,omitempty" brief:"-" jsonschema:"Save open files: auto (the default: those without unsaved changes), always, never."`
}

// renamedSymbol is symbolInput where a model knows its arguments by references.
type renamedSymbol struct {
	Path   string  `json:"path" jsonschema:"A file that defines or uses it."`
	Symbol string  `json:"symbol,omitempty" jsonschema:"Name of a definition in the file, as read_file takes it."`
	Line   *uint64 `json:"line,omitempty" jsonschema:"Or the line, from 1, where text stands."`
	Text   string  `json:"text,omitempty" jsonschema:"The name on that line, or enough of the line to tell which."`
}

func runRenameSymbol(ctx context.Context, env *toolcall.Env, in renameInput) (*change.Output, error) {
	switch {
	case strings.TrimSpace(in.NewName) == "" || strings.ContainsAny(in.NewName, "\r\n\x00"):
		return nil, fault.New(fault.InvalidParams, `"new_name" is no name`)
	case env.Editor == nil:
		return nil, toolcall.ErrNoLanguages
	}
	return applyServerEdit(ctx, env, change.Request{Tool: "rename_symbol", DryRun: in.DryRun, Save: in.Save}, func() (*toolcall.ServerEdit, error) {
		symbol, err := symbolInput(in.renamedSymbol).locate(ctx, env)
		if err != nil {
			return nil, err
		}
		if d := symbol.File.Document; d != nil && d.IsPeer() {
			return nil, fault.New(fault.NoEditor, "another editor has the file open, which this call does not reach").At(symbol.File.Path.Rel)
		}
		edit, err := env.Editor.Rename(ctx, env.Snapshot, symbol.Place, in.NewName)
		if err == nil && edit.By == "" {
			err = nobodyDoes("renames", edit.Busy).At(symbol.File.Path.Rel)
		}
		if err == nil && len(edit.Files) == 0 {
			err = fault.New(fault.NotApplied, "%s finds nothing to rename for %q", wording.OneLine(edit.By), wording.Shortened(symbol.name)).At(symbol.File.Path.Rel).
				Advise("Name another place of it by line and text.")
		}
		return edit, err
	})
}

// nobodyDoes tells that no language server does what is asked for.
func nobodyDoes(what, busy string) *fault.Error {
	e := fault.New(fault.NotSupported, "no language server of the editor %s here", what)
	if busy != "" {
		return e.Advise("One is still busy (%s): try again in a moment.", busy)
	}
	return e.Advise("The person can open a file of that language in the editor, with its language server; else use references and edits.")
}

// maxAsked is how often language servers are asked anew because a text changed
// before their edit was applied.
const maxAsked = 3

// applyServerEdit asks for an edit and applies it, as a patch is. Where a text changes
// in between it asks again.
func applyServerEdit(ctx context.Context, env *toolcall.Env, r change.Request, ask func() (*toolcall.ServerEdit, error)) (*change.Output, error) {
	r.Unseen, r.OnStale = true, change.StaleReject
	for try := 1; ; try++ {
		edit, err := toolcall.Retry(env, ask)
		if err != nil {
			return nil, err
		}
		files, err := requestsOf(ctx, env, edit)
		if err != nil {
			return nil, err
		}
		r.Files = files
		out, err := r.Run(ctx, env)
		if fault.KindOf(err) == fault.StaleFile && try < maxAsked && ctx.Err() == nil {
			env.Refresh()
			continue
		}
		if err == nil {
			out.Notes = append(out.Notes, fmt.Sprintf("by %s: %s", wording.OneLine(edit.By), wording.Plural(edits(edit), "edit", "edits")))
		}
		return out, err
	}
}

func edits(e *toolcall.ServerEdit) (n int) {
	for _, f := range e.Files {
		n += max(1, len(f.Edits))
	}
	return n
}
