package toolcall

import (
	"fmt"
	"path"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// IsNotebook tells by its name that a text may be a notebook's.
func IsNotebook(f *buffers.File) bool {
	return strings.EqualFold(path.Ext(f.Path.Rel), ".ipynb") && f.Content.Len() <= media.MaxNotebook
}

// AllBytes returns the whole text of a file.
func AllBytes(f *buffers.File) ([]byte, error) {
	raw := f.Content.Append(make([]byte, 0, f.Content.Len()), text.Span{End: f.Content.Len()})
	if err := f.Err(); err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	return raw, nil
}

// notebookOutline returns the cells of a notebook as an outline, nil when the
// text is not that of a notebook.
func notebookOutline(f *buffers.File) (*outline.Outline, error) {
	raw, err := AllBytes(f)
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
	if short := wording.CutAt([]byte(head), most); short < len(head) {
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
