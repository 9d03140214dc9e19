package tools

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// isNotebook tells by its name that a text may be a notebook's.
func isNotebook(f *buffers.File) bool {
	return strings.EqualFold(path.Ext(f.Path.Rel), ".ipynb") && f.Content.Len() <= media.MaxNotebook
}

// wantsCells tells that a notebook is to be shown as its cells: where nothing
// names a part of its text, and the exact text is not asked for.
func (in readInput) wantsCells(f *buffers.File) bool {
	return isNotebook(f) && in.mode() == modeOffset && in.Offset == nil && in.Limit == nil && in.Format != plainText
}

// cells answers with the cells of a notebook. They are not its text, which is
// JSON: they have no line numbers. A text that is no notebook is read as it is.
func (r *reading) cells(ctx context.Context, semaphore *media.Semaphore) error {
	leave, err := semaphore.Acquire(ctx)
	if err != nil {
		return err
	}
	defer leave()
	raw, err := allBytes(r.File)
	if err != nil {
		return err
	}
	notebook, err := media.ParseNotebook(raw)
	if err != nil {
		r.note("It is shown as text: it does not read as a notebook (" + fault.From(err).Message + ").")
		return r.run()
	}
	r.out.ContentType, r.out.Language = classify(r.File)
	r.out.ReadMode = modeDocument
	v := semaphore.View(ctx, notebook, r.in.client.room(maxPageBytes), maxPageLine)
	for i, image := range v.Images {
		r.out.blocks = append(r.out.blocks, Block{MIMEType: image.MIMEType, URI: fmt.Sprintf("%s#image-%d", r.out.URI, i+1), Data: image.Data})
	}
	r.showCells(notebook, v)
	if r.in.Outline == outlineAlways {
		r.outlineBeside()
	}
	return r.err
}

// showCells puts a view into the answer. Where it is not of all cells, the
// next one is named by where it begins in the JSON text.
func (r *reading) showCells(n *media.Notebook, v media.View) {
	out := r.out
	body := v.Text
	if r.in.Format == xmlStyle {
		body = fmt.Sprintf("<notebook path=%s cells=\"%d-%d\" total=\"%d\">\n%s</notebook>", attribute(out.Path), min(1, v.Shown), v.Shown, len(n.Cells), body)
	}
	setContent(out, body)
	out.rendered = plural(len(n.Cells), "cell", "cells")
	if v.Shown < len(n.Cells) {
		out.rendered = fmt.Sprintf("cells 1-%d of %d", v.Shown, len(n.Cells))
	}
	if n.Language != "" {
		out.rendered += " of " + oneLine(n.Language)
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
		parts = append(parts, oneLine(u.MIMEType)+" in "+ranges(u.Cells))
	}
	if more := len(all) - len(parts); more > 0 {
		parts = append(parts, plural(more, "other type", "other types"))
	}
	return strings.Join(parts, "; ")
}

// allBytes returns the whole text of a file.
func allBytes(f *buffers.File) ([]byte, error) {
	raw := f.Content.Append(make([]byte, 0, f.Content.Len()), text.Span{End: f.Content.Len()})
	if err := f.Err(); err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	return raw, nil
}

// notebookOutline returns the cells of a notebook as an outline, nil when the
// text is not that of a notebook.
func notebookOutline(f *buffers.File) (*outline.Outline, error) {
	raw, err := allBytes(f)
	if err != nil {
		return nil, err
	}
	notebook, err := media.ParseNotebook(raw)
	if err != nil {
		return nil, nil // then it is a text like others
	}
	o := &outline.Outline{Language: "json", Method: outline.ByJSON}
	for i := range notebook.Cells {
		o.Symbols = append(o.Symbols, cellSymbol(f.Content, notebook, &notebook.Cells[i]))
	}
	return o, nil
}

// cellSymbol is a cell in an outline: its head is the first line that says
// something.
func cellSymbol(c buffers.Content, n *media.Notebook, cell *media.Cell) outline.Symbol {
	const most = 80
	head := ""
	for line := range strings.Lines(cell.Source) {
		if head = strings.TrimSpace(line); head != "" {
			break
		}
	}
	if short := cutAt([]byte(head), most); short < len(head) {
		head = head[:short] + "…"
	}
	kind := syntax.String
	if cell.Kind == "code" {
		kind = syntax.Module
	}
	name := fmt.Sprintf("cell %d", cell.Number)
	first := c.LineAt(cell.Span.Start) + 1
	return outline.Symbol{
		Name: name, Kind: kind, Signature: name + " · " + cell.Title(n.Language) + ": " + head,
		StartLine: first, HeadLine: first, EndLine: c.LineAt(max(cell.Span.Start, cell.Span.End-1)) + 1,
		Span: cell.Span, NameSpan: text.Span{Start: cell.Span.Start, End: cell.Span.Start}, Parent: -1,
	}
}
