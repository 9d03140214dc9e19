package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// maxActions is how many actions an answer lists.
const maxActions = 100

var codeAction = tool[codeActionInput, *change.Output]{
	name:     "code_action",
	doc:      `What language servers offer for a line or file: quickfix, refactor, source.organizeImports, source.fixAll. apply does one.`,
	changes:  true,
	about:    aboutPath,
	terminal: Terminal{Arguments: []string{"path"}},
	run:      runCodeAction,
}

type codeActionInput struct {
	Path       string          `json:"path"`
	Line       *uint64         `json:"line,omitempty" jsonschema:"The line, from 1; without it and diagnostic the whole file."`
	Diagnostic string          `json:"diagnostic,omitempty" brief:"-" jsonschema:"Words of the message of a diagnostic of the file, in place of line."`
	Kind       string          `json:"kind,omitempty" jsonschema:"Only actions of this kind, such as quickfix, refactor, source.organizeImports."`
	Apply      string          `json:"apply,omitempty" brief:"a title" jsonschema:"The title of the action to apply."`
	DryRun     bool            `json:"dry_run,omitempty" brief:"-" jsonschema:"With apply: answer with the diff and change nothing."`
	Save       change.SaveMode `json:"save,omitempty" brief:"-" jsonschema:"Save open files: auto (the default: those without unsaved changes), always, never."`
}

func runCodeAction(ctx context.Context, env *toolcall.Env, in codeActionInput) (*change.Output, error) {
	if env.Editor == nil {
		return nil, toolcall.ErrNoLanguages
	}
	if in.Apply == "" {
		return in.list(ctx, env)
	}
	return applyServerEdit(ctx, env, change.Request{Tool: "code_action", DryRun: in.DryRun, Save: in.Save}, func() (*toolcall.ServerEdit, error) {
		about, err := in.about(ctx, env)
		if err != nil {
			return nil, err
		}
		edit, err := env.Editor.Act(ctx, env.Snapshot, about, in.Apply)
		switch {
		case err != nil:
			return nil, err
		case edit.By == "" || len(edit.Files) == 0 && edit.Command == "" && !edit.Found:
			return nil, in.notOffered(edit).At(about.File.Path.Rel)
		case len(edit.Files) == 0 && edit.Command != "":
			return nil, fault.New(fault.NotSupported, "%s runs this action by itself (%s), and what it does is not known before", wording.OneLine(edit.By), wording.OneLine(edit.Command)).
				At(about.File.Path.Rel).Advise("Make the change by edits, or ask the person to apply it.")
		case len(edit.Files) == 0:
			return nil, fault.New(fault.NotApplied, "the action changes nothing").At(about.File.Path.Rel)
		}
		return edit, nil
	})
}

func (in codeActionInput) notOffered(edit *toolcall.ServerEdit) *fault.Error {
	if edit.By == "" {
		return nobodyDoes("offers actions", edit.Busy)
	}
	return fault.New(fault.NotSupported, "no action is called %q here", wording.Shortened(in.Apply)).
		Advise("Call without apply for what is offered: titles are taken as they are written.")
}

// list answers what is offered.
func (in codeActionInput) list(ctx context.Context, env *toolcall.Env) (*change.Output, error) {
	return toolcall.Retry(env, func() (*change.Output, error) {
		about, err := in.about(ctx, env)
		if err != nil {
			return nil, err
		}
		said, err := env.Editor.Actions(ctx, env.Snapshot, about)
		switch {
		case err != nil:
			return nil, err
		case len(said.By) == 0:
			return nil, nobodyDoes("offers actions", said.Busy).At(about.File.Path.Rel)
		}
		out := &change.Output{Files: []change.ChangedFile{}, Offered: append([]toolcall.Action{}, said.List[:min(len(said.List), maxActions)]...)}
		if said.Busy != "" {
			out.Notes = append(out.Notes, "pending: "+said.Busy+"; there may be more")
		}
		if more := len(said.List) - len(out.Offered); more > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%d more; narrow by kind", more))
		}
		return out, nil
	})
}

// about returns what the call is about in the file's present text.
func (in codeActionInput) about(ctx context.Context, env *toolcall.Env) (about toolcall.ActionRange, err error) {
	f, err := env.File(ctx, in.Path, "")
	switch {
	case err != nil:
		return about, err
	case f.Binary:
		return about, fault.New(fault.BinaryFile, "the file holds no text").At(f.Path.Rel)
	case f.Document != nil && f.Document.IsPeer():
		return about, fault.New(fault.NoEditor, "another editor has the file open, which this call does not reach").At(f.Path.Rel)
	}
	about = toolcall.ActionRange{File: f, Kind: in.Kind, Span: text.Span{End: f.Content.Len()}}
	switch n := toolcall.NumberOr(in.Line, 0); {
	case n > 0 && in.Diagnostic != "":
		return about, fault.New(fault.InvalidParams, `"line" and "diagnostic" exclude each other`)
	case n > f.Content.Lines():
		return about, fault.New(fault.InvalidParams, "the file has %d lines, and no line %d", f.Content.Lines(), n).At(f.Path.Rel)
	case n > 0:
		about.Span = lineSpan(f.Content, n)
	case in.Diagnostic != "":
		about.Span, err = in.diagnosed(ctx, env, f)
	}
	return about, err
}

// lineSpan returns a 1-based line without its end.
func lineSpan(c buffers.Content, n int) text.Span {
	s := text.Span{Start: c.LineStart(n - 1), End: c.LineStart(n)}
	body, _ := wording.SplitEnd(c.Append(nil, s))
	return text.Span{Start: s.Start, End: s.Start + len(body)}
}

// diagnosed returns where the one diagnostic is that the call names.
func (in codeActionInput) diagnosed(ctx context.Context, env *toolcall.Env, f *buffers.File) (span text.Span, err error) {
	said, err := env.Editor.Diagnostics(ctx, &f.Path, 0)
	if err != nil {
		return span, err
	}
	var lines []int
	for _, d := range said.List {
		if strings.Contains(d.Message, in.Diagnostic) && (len(lines) == 0 || lines[len(lines)-1] != d.Line+1) {
			span, lines = d.Span, append(lines, d.Line+1)
		}
	}
	switch len(lines) {
	case 0:
		return span, fault.New(fault.TextNotFound, "no diagnostic of the file has %q in its message", wording.Shortened(in.Diagnostic)).At(f.Path.Rel).
			Advise("diagnostics with this path shows them.")
	case 1:
		return span, nil
	}
	return span, fault.New(fault.AmbiguousMatch, "%d diagnostics of the file have %q in their message", len(lines), wording.Shortened(in.Diagnostic)).At(f.Path.Rel).
		Advise("Give the line: %s.", wording.CommaList(lines[:min(len(lines), 20)]))
}
