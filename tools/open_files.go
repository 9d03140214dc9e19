package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
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

type openInput struct{}

// openOutput is what open_files gives.
type openOutput struct {
	Files  []openFile `json:"files" jsonschema:"The active file first, then what is visible, then what is unsaved."`
	Total  int        `json:"total"`
	Hidden int        `json:"hidden,omitzero" jsonschema:"How many open files the policy keeps from agents."`
	Notes  []string   `json:"notes,omitempty"`
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

func runOpenFiles(ctx context.Context, env *toolcall.Env, _ openInput) (*openOutput, error) {
	if env.Editor == nil {
		return nil, toolcall.ErrNoEditor
	}
	out := &openOutput{Files: []openFile{}}
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
		f, err := describeOpenFile(env, ctx, d, state)
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
		all.Total, all.Hidden = all.Total+p.out.Total, all.Hidden+p.out.Hidden
		all.Notes = append(all.Notes, labelled(p.editor, p.out.Notes)...)
	}
	all.arrange()
	return all
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

func describeOpenFile(e *toolcall.Env, ctx context.Context, d *buffers.Document, state *toolcall.EditorState) (openFile, error) {
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
