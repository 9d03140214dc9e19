package read

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// readSymbol answers a definition, named by the caller.
func (r *reading) readSymbol() error {
	if why := r.out.NoStructure(); why != "" && r.out.ContentType != toolcall.TypeMinified {
		return fault.New(fault.SymbolNotFound, "no symbol %q: %s", wording.Shortened(r.in.Symbol), why).
			At(r.Path.Rel).Advise("Read it by start_line and end_line.")
	}
	o := r.outline()
	at, found, near := r.keyPlace(o)
	switch {
	case at != nil:
		r.out.Expansion = &expansion{Applied: true, Kind: at.Kind.String(), Name: r.in.Symbol}
		return showWithin(r.Content, r.ownLines(at.Span), r.in, r.out)
	case len(found) > 1:
		return toolcall.AmbiguousSymbol(o, r.in.Symbol, found).At(r.Path.Rel)
	case len(found) == 0:
		return toolcall.SymbolNotFound(o, r.in.Symbol, near).At(r.Path.Rel)
	}
	s := &o.Symbols[found[0]]
	r.out.Expansion = &expansion{Applied: true, Kind: s.Kind.String(), Name: s.Name}
	if !o.Says(r.in.Symbol, found[0]) {
		r.out.named = o.Path(found[0])
	}
	if note := toolcall.HowFound(o); note != "" {
		r.note(note)
	}
	return showWithin(r.Content, r.linesOf(s), r.in, r.out)
}

// keyPlace returns the value that the symbol asked for is the path of, from the
// top of a text of keys; else the definitions that it names in part.
func (r *reading) keyPlace(o *outline.Outline) (at *outline.Place, found []int, near []string) {
	if l := toolcall.SyntaxOf(r.File); r.out.ContentType == toolcall.TypeConfig && r.Content.Len() <= toolcall.MaxOutlinedText {
		raw, err := toolcall.AllBytes(r.File)
		if err != nil {
			r.err = err
			return nil, nil, nil
		}
		if places := o.Locate(l, raw, r.in.Symbol); len(places) == 1 {
			return &places[0], nil, nil
		}
	}
	found, near = o.Find(r.in.Symbol)
	return nil, found, near
}

// ownLines returns the lines of a span where nothing else stands on them, but for
// what divides values; else the span.
func (r *reading) ownLines(s text.Span) text.Span {
	lines := SpanOf(r.Content, toolcall.LineRange{Start: r.Content.LineAt(s.Start) + 1, End: r.Content.LineAt(max(s.Start, s.End-1)) + 1})
	if lines.Len()-s.Len() > MaxPageLine {
		return s
	}
	beside := r.Content.Append(nil, text.Span{Start: lines.Start, End: s.Start})
	beside = r.Content.Append(beside, text.Span{Start: s.End, End: lines.End})
	if strings.Trim(string(beside), " \t\r\n,-") != "" {
		return s
	}
	return lines
}

// linesOf returns the lines of a definition, or the definition alone where it
// shares its lines with much else: all may stand on one.
func (r *reading) linesOf(s *outline.Symbol) text.Span {
	lines := SpanOf(r.Content, toolcall.LineRange{Start: s.StartLine, End: s.EndLine})
	if s.Span.Len() == 0 || lines.Len()-s.Span.Len() <= MaxPageLine {
		return lines
	}
	return text.Span{Start: r.Content.FloorChar(s.Span.Start), End: ceilChar(r.Content, s.Span.End)}
}
