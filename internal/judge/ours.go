package judge

import (
	"context"
	"sort"

	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

const headBytes = 4096 // what a language is detected by, besides the name

// A symbol is one of ours, as it is compared.
type symbol struct {
	outline.Symbol
	class    class
	nameLine int
}

// outlineOf makes the outline of a file, as the program does.
func outlineOf(ctx context.Context, f *file) (*outline.Outline, *lineTable) {
	head := f.text[:min(len(f.text), headBytes)]
	return outline.New(ctx, syntax.Detect(f.base(), head), f.text), newLineTable(f.text)
}

// symbolsOf returns the symbols of f with what they are compared by.
func symbolsOf(ctx context.Context, f *file) ([]symbol, *lineTable) {
	o, lines := outlineOf(ctx, f)
	symbols := make([]symbol, len(o.Symbols))
	for i, s := range o.Symbols {
		symbols[i] = symbol{Symbol: s, class: classOf(s.Kind, f.language), nameLine: lines.at(s.NameSpan.Start)}
	}
	return symbols, lines
}

// lineTable finds lines by a scan of its own: the outline's are judged.
type lineTable struct {
	text   []byte
	starts []int
}

func newLineTable(text []byte) *lineTable {
	t := &lineTable{text: text, starts: []int{0}}
	for i, b := range text {
		if b == '\n' || b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// at returns the 1-based line of a byte.
func (t *lineTable) at(offset int) int {
	return sort.SearchInts(t.starts, offset+1)
}

// line returns the text of a line with its end, "" past the last.
func (t *lineTable) line(n int) string {
	return string(t.text[t.start(n):t.start(n+1)])
}

// start returns where a line begins, the text's length past the last.
func (t *lineTable) start(n int) int {
	if n < 1 || n > len(t.starts) {
		return len(t.text)
	}
	return t.starts[n-1]
}
