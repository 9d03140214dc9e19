package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Sizes of what grep_files shows of definitions.
const (
	// definitionsBytes is how many bytes of them a page has at most.
	definitionsBytes = 32 << 10
	// A definition that is longer is not shown as a whole, but largeContext lines
	// around each hit in it, unless the call says how many.
	wholeDefinition = 8 << 10
	largeContext    = 5
)

// checkShown refuses arguments that exclude each other.
func (in grepInput) checkShown() error {
	lines := in.Output.orLines() == outputLines
	switch {
	case toolcall.NonZero(in.Last) != nil && in.Cursor != "":
		return fault.New(fault.InvalidParams, `"cursor" goes on from the begin, and "last" counts from the end`).
			Advise("For earlier hits give a larger last, without cursor.")
	case toolcall.NonZero(in.Last) != nil && !lines:
		return fault.New(fault.InvalidParams, `"last" is of lines, not of output %q`, in.Output)
	case in.Show == showDefinition && !lines:
		return fault.New(fault.InvalidParams, `"show" is of lines, not of output %q`, in.Output)
	}
	return nil
}

// around returns how many lines are shown before and after each hit.
func (in grepInput) around() (before, after int) {
	both := toolcall.NumberOr(in.Context, 0)
	return min(toolcall.NumberOr(in.Before, both), maxContext), min(toolcall.NumberOr(in.After, both), maxContext)
}

// contextNotes says which of the arguments ask for more lines than there can be.
func (in grepInput) contextNotes() (notes []string) {
	for _, a := range []struct {
		name  string
		lines *uint64
	}{{"context", in.Context}, {"before", in.Before}, {"after", in.After}} {
		if toolcall.NumberOr(a.lines, 0) > maxContext {
			notes = append(notes, fmt.Sprintf("%q is %d at most.", a.name, maxContext))
		}
	}
	return notes
}

// addDefinitions gives the first hit in each definition that definition. A hit
// in a field gets what has the field.
func addDefinitions(c buffers.Content, o *outline.Outline, hits []grepHit) {
	shown, last := 0, -1 // where what is shown ends; the definition before
	for i := range hits {
		h := &hits[i]
		at := o.At(h.Byte)
		for at >= 0 && toolcall.IsMember(o.Symbols[at].Kind) && o.Symbols[at].Parent >= 0 {
			at = o.Symbols[at].Parent
		}
		if at < 0 {
			continue
		}
		s := &o.Symbols[at]
		h.Symbol, h.head = o.Path(at), h.Line == s.HeadLine
		if at == last || h.Line <= shown {
			continue
		}
		last = at
		h.Definition = &grepDefinition{StartLine: s.StartLine, EndLine: s.EndLine}
		if span := read.SpanOf(c, toolcall.LineRange{Start: s.StartLine, End: s.EndLine}); span.Len() <= wholeDefinition {
			h.Definition.Text = string(c.Append(nil, span))
			shown = s.EndLine
		}
	}
}

// renderDefinition writes a definition: a line that tells its lines and those of
// the hits in it, then its text, which has no numbers as it stands together.
func (f *grepFile) renderDefinition(b *strings.Builder, first int) {
	d := f.Hits[first].Definition
	fmt.Fprintf(b, "\n@ %s %d", wording.OneLine(f.Hits[first].Symbol), d.StartLine)
	if d.EndLine > d.StartLine {
		fmt.Fprintf(b, "-%d", d.EndLine)
	}
	if d.Text == "" {
		return
	}
	inside := f.Hits[first:]
	if n := slices.IndexFunc(inside, func(h grepHit) bool { return h.Line > d.EndLine }); n >= 0 {
		inside = inside[:n]
	}
	if d.EndLine > d.StartLine && (len(inside) > 1 || !inside[0].head) {
		b.WriteString("; hits in")
		for i := range inside {
			b.WriteString(" " + strconv.Itoa(inside[i].Line))
		}
	}
	b.WriteByte('\n')
	b.WriteString(strings.TrimRight(d.Text, "\r\n"))
}
