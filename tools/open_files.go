package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// maxOpenFiles is how many documents an answer of open_files holds.
const maxOpenFiles = 500

var openFiles = tool[openInput, *openOutput]{
	name: "open_files",
	doc: `Show which files the person has open in the editor: with unsaved changes, visible, active, and what is selected. ` +
		`Begin here when the person says "this file" or "this function". Each hash guards edit_file at once.`,
	merge: mergeOpen,
	run:   runOpenFiles,
}

type openInput struct {
	Since string `json:"since,omitempty" brief:"-" jsonschema:"read: what others changed since you read it, as diffs."`
}

// openOutput is what open_files gives.
type openOutput struct {
	Changed []changedRead `json:"changed,omitempty" jsonschema:"Files that others changed since you read them."`
	Pointed []pointedFile `json:"pointed,omitempty" jsonschema:"What the person pointed at for you, the latest first."`
	Files   []openFile    `json:"files" jsonschema:"The active file first, then what is visible, then what is unsaved."`
	Total   int           `json:"total"`
	Hidden  int           `json:"hidden,omitzero" jsonschema:"How many open files the policy keeps from agents."`
	Notes   []string      `json:"notes,omitempty"`
}

// pointedFile is what the person pointed at.
type pointedFile struct {
	Path     string   `json:"path"`
	Lines    []int    `json:"lines,omitempty" jsonschema:"The first and the last, from 1; left out for the whole file."`
	Problems []string `json:"problems,omitempty"`
}

type openFile struct {
	toolcall.FileState
	Editor      string      `json:"editor,omitempty" jsonschema:"Which editor has it open, where several are asked."`
	Language    string      `json:"language,omitempty"`
	TotalLines  int         `json:"total_lines"`
	ContentHash string      `json:"content_hash" jsonschema:"SHA-256 of the bytes that saving would write. It guards edits."`
	Active      bool        `json:"active,omitzero" jsonschema:"The person works in it."`
	Visible     bool        `json:"visible,omitzero"`
	Selections  []selection `json:"selections,omitempty"`
}

// selection is a part of a text, or a cursor where it is empty.
type selection struct {
	StartLine   int `json:"start_line"`
	StartColumn int `json:"start_column" jsonschema:"1-based, in bytes; that of the end is behind the last byte."`
	EndLine     int `json:"end_line"`
	EndColumn   int `json:"end_column"`
}

func runOpenFiles(ctx context.Context, env *toolcall.Env, in openInput) (*openOutput, error) {
	if in.Since != "" && in.Since != sinceRead {
		return nil, fault.New(fault.InvalidParams, "\"since\" is %q, and can be %q", in.Since, sinceRead)
	}
	out := &openOutput{Files: []openFile{}}
	if in.Since == sinceRead {
		out.Changed = changedSince(ctx, env)
	}
	if env.Editor == nil && in.Since == sinceRead {
		out.Notes = append(out.Notes, "no editor is attached")
		return out, nil
	}
	if env.Editor == nil {
		return nil, toolcall.ErrNoEditor
	}
	state, err := env.Editor.State(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		out.Notes = append(out.Notes, "What is visible, active and selected is not known: "+fault.From(err).Message+".")
		state = &toolcall.EditorState{}
	}
	env.Refresh() // to the texts that the editor spoke of
	for _, d := range env.Snapshot.Overlay.Documents() {
		f, err := describeOpenFile(ctx, env, d, state)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case fault.KindOf(err) == fault.PermissionDenied:
			out.Hidden++
		case err != nil:
			out.Notes = append(out.Notes, wording.OneLine(fault.From(err).At(d.Path.Rel).Advise("").Error()))
		default:
			out.Files = append(out.Files, f)
		}
	}
	out.Total = len(out.Files)
	out.Pointed = pointedFiles(env)
	out.arrange()
	return out, nil
}

func mergeOpen(parts []part[*openOutput]) *openOutput {
	all := &openOutput{Files: []openFile{}}
	for _, p := range parts {
		for _, f := range p.out.Files {
			f.Editor = p.editor
			all.Files = append(all.Files, f)
		}
		all.Changed, all.Pointed = append(all.Changed, p.out.Changed...), append(all.Pointed, p.out.Pointed...)
		all.Total, all.Hidden = all.Total+p.out.Total, all.Hidden+p.out.Hidden
		all.Notes = append(all.Notes, labelled(p.editor, p.out.Notes)...)
	}
	all.arrange()
	return all
}

// sinceRead is the one value of since.
const sinceRead = "read"

// changedRead is a file that others changed since the caller read it.
type changedRead struct {
	Path string `json:"path"`
	By   string `json:"by"`
	Diff string `json:"diff,omitempty" jsonschema:"Left out where the text that was read is no longer remembered."`
}

// maxChangedDiff is how much of the diff of a file is shown, in bytes.
const maxChangedDiff = 8 << 10

// changedSince returns what others changed since the caller read it.
func changedSince(ctx context.Context, env *toolcall.Env) (list []changedRead) {
	for _, c := range env.LastChanges() {
		f, err := env.FileAt(ctx, c.Path, "")
		if err != nil {
			continue
		}
		one := changedRead{Path: c.Path.Rel, By: c.By}
		now, err := toolcall.WholeText(f)
		if old, known := env.Texts.Lookup(c.Hash); known && err == nil {
			one.Diff = change.CutDiff(diff.Unified(c.Path.Rel, old, diff.Compute(old.String(), now.String()), 1), maxChangedDiff)
		}
		list = append(list, one)
	}
	return list
}

// pointedFiles returns what the person pointed at, as far as policy lets it be read.
func pointedFiles(e *toolcall.Env) (list []pointedFile) {
	if e.Pointed == nil {
		return nil
	}
	for _, p := range e.Pointed() {
		if e.CheckShow(p.Path) != nil {
			continue
		}
		f := pointedFile{Path: p.Path.Rel, Problems: p.Problems}
		if p.Start > 0 {
			f.Lines = []int{p.Start, p.End}
		}
		list = append(list, f)
	}
	return list
}

// mention is how hosts write what was pointed at.
func (p pointedFile) mention() string {
	at := toolcall.Pointed{Path: workspace.Path{Rel: p.Path}}
	if len(p.Lines) == 2 {
		at.Start, at.End = p.Lines[0], p.Lines[1]
	}
	return at.Mention()
}

// arrange puts what the person does first, and cuts the list.
func (o *openOutput) arrange() {
	slices.SortStableFunc(o.Files, func(a, b openFile) int { return cmp.Compare(a.rank(), b.rank()) })
	o.Files = o.Files[:min(len(o.Files), maxOpenFiles)]
}

// rank orders open files by how near they are to what the person does.
func (f *openFile) rank() int {
	switch {
	case f.Active:
		return 0
	case f.Visible:
		return 1
	case f.Dirty:
		return 2
	}
	return 3
}

func describeOpenFile(ctx context.Context, e *toolcall.Env, d *buffers.Document, state *toolcall.EditorState) (openFile, error) {
	f, err := e.Snapshot.File(ctx, d.Path, "")
	if err != nil {
		return openFile{}, err
	}
	_, language := toolcall.Classify(f)
	open := openFile{
		FileState: toolcall.Describe(f).FileState, Language: language, TotalLines: f.Content.Lines(), ContentHash: f.Hash.String(),
		Active: state.Active == d.Key(), Visible: slices.Contains(state.Visible, d.Key()),
	}
	for _, span := range state.Selections[d.Key()] {
		open.Selections = append(open.Selections, selectionOf(d.Text, span))
	}
	return open, nil
}

func selectionOf(t text.Text, s text.Span) selection {
	startLine, startColumn := placeOf(t, s.Start)
	endLine, endColumn := placeOf(t, s.End)
	return selection{startLine, startColumn, endLine, endColumn}
}

// placeOf returns the line and column of a byte, both 1-based. Behind a final
// line end there is one more line than the text has.
func placeOf(t text.Text, at text.Offset) (line, column int) {
	p := t.PositionAt(at, text.Coord{Encoding: text.UTF8})
	return int(p.Line) + 1, int(p.Character) + 1
}

func (o *openOutput) Render(show toolcall.ShowHash) toolcall.Rendering {
	var h, b strings.Builder
	if len(o.Files) < o.Total {
		fmt.Fprintf(&h, "%d of ", len(o.Files))
	}
	h.WriteString(wording.Plural(o.Total, "file is open", "files are open"))
	if o.Hidden > 0 {
		fmt.Fprintf(&h, "; %d more hidden by policy", o.Hidden)
	}
	for _, n := range o.Notes {
		h.WriteString("; note: " + n)
	}
	for _, p := range o.Pointed {
		b.WriteString("pointed at by the person: " + wording.OneLine(p.mention()) + "\n")
		for _, problem := range p.Problems {
			b.WriteString("  " + wording.OneLine(problem) + "\n")
		}
	}
	for _, c := range o.Changed {
		b.WriteString("changed by " + wording.OneLine(c.By) + " since you read it: " + wording.OneLine(c.Path) + "\n" + c.Diff)
	}
	for i := range o.Files {
		o.Files[i].line(&b, show)
	}
	return toolcall.Rendering{Header: h.String(), After: strings.TrimSuffix(b.String(), "\n")}
}

func (f *openFile) line(b *strings.Builder, show toolcall.ShowHash) {
	b.WriteString(wording.OneLine(f.Path))
	var marks []string
	switch {
	case f.Active:
		marks = append(marks, "active")
	case f.Visible:
		marks = append(marks, "visible")
	}
	if state := strings.TrimPrefix(strings.TrimPrefix(f.State(), "buffer"), ", "); state != "" {
		marks = append(marks, state)
	}
	if len(marks) > 0 {
		b.WriteString(" [" + strings.Join(marks, ", ") + "]")
	}
	if f.Editor != "" {
		b.WriteString(" in " + wording.OneLine(f.Editor) + ":")
	}
	fmt.Fprintf(b, " %s", wording.Plural(f.TotalLines, "line", "lines"))
	if f.Version != nil {
		fmt.Fprintf(b, ", version %d", *f.Version)
	}
	for _, s := range f.Selections {
		if s.StartLine == s.EndLine && s.StartColumn == s.EndColumn {
			fmt.Fprintf(b, ", cursor %d:%d", s.StartLine, s.StartColumn)
		} else {
			fmt.Fprintf(b, ", selected %d:%d-%d:%d", s.StartLine, s.StartColumn, s.EndLine, s.EndColumn)
		}
	}
	b.WriteString(", " + show(f.Path, f.ContentHash) + "\n")
}
