package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// wantsCells reports whether a notebook is to be shown as its cells: where nothing
// names a part of its text, and the exact text is not asked for.
func (in Input) wantsCells(f *buffers.File) bool {
	return toolcall.IsNotebook(f) && in.mode() == modeOffset && in.Offset == nil && in.Limit == nil && in.Format != PlainText
}

// cells answers with the cells of a notebook. They are not its text, which is
// JSON: they have no line numbers. A text that is no notebook is read as it is.
func (r *reading) cells(ctx context.Context, semaphore *media.Semaphore) error {
	leave, err := semaphore.Acquire(ctx)
	if err != nil {
		return err
	}
	defer leave()
	raw, err := toolcall.AllBytes(r.File)
	if err != nil {
		return err
	}
	notebook, err := media.ParseNotebook(raw)
	if err != nil {
		r.note("It is shown as text: it does not read as a notebook (" + fault.From(err).Message + ").")
		return r.run()
	}
	r.out.ContentType, r.out.Language = toolcall.Classify(r.File)
	r.out.ReadMode = ModeDocument
	v := semaphore.View(ctx, notebook, r.in.client.RoomFor(MaxPageBytes), MaxPageLine)
	for i, image := range v.Images {
		r.out.blocks = append(r.out.blocks, toolcall.Block{MIMEType: image.MIMEType, URI: fmt.Sprintf("%s#image-%d", r.out.URI, i+1), Data: image.Data})
	}
	r.showCells(notebook, v)
	if r.in.Outline == OutlineAlways {
		r.outlineBeside()
	}
	return r.err
}

// showCells puts a view into the answer. Where it is not of all cells, the
// next one is named by where it begins in the JSON text.
func (r *reading) showCells(n *media.Notebook, v media.View) {
	out := r.out
	body := v.Text
	if r.in.Format == XMLStyle {
		body = fmt.Sprintf("<notebook path=%s cells=\"%d-%d\" total=\"%d\">\n%s</notebook>", attribute(out.Path), min(1, v.Shown), v.Shown, len(n.Cells), body)
	}
	setContent(out, body)
	out.rendered = wording.Plural(len(n.Cells), "cell", "cells")
	if v.Shown < len(n.Cells) {
		out.rendered = fmt.Sprintf("cells 1-%d of %d", v.Shown, len(n.Cells))
	}
	if n.Language != "" {
		out.rendered += " of " + wording.OneLine(n.Language)
	}
	out.EOF = v.Shown == len(n.Cells) && !v.Cut
	out.Truncated = !out.EOF
	r.note(`symbol "cell 1" and format "plain" give the JSON to edit.`)
	if len(v.Unshown) > 0 {
		r.note("Outputs not shown: " + unshown(v.Unshown) + ".")
	}
	if v.Cut {
		r.note(`The last cell shown is cut off.`)
	}
	if v.Shown < len(n.Cells) {
		next := n.Cells[v.Shown].Span.Start
		out.NextStartByte = &next
		r.note(fmt.Sprintf("Cell %d begins at line %d of the JSON text.", v.Shown+1, r.Content.LineAt(next)+1))
	}
}

// maxUnshownTypes is how many types of outputs are named.
const maxUnshownTypes = 4

// unshown tells of which types outputs are that are not shown, and in which cells.
func unshown(all []media.Unshown) string {
	var parts []string
	for _, u := range all[:min(len(all), maxUnshownTypes)] {
		parts = append(parts, wording.OneLine(u.MIMEType)+" in "+ranges(u.Cells))
	}
	if more := len(all) - len(parts); more > 0 {
		parts = append(parts, wording.Plural(more, "other type", "other types"))
	}
	return strings.Join(parts, "; ")
}
