package locate

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// locateLines returns the edit that replaces whole lines with their ends. The
// new text's lines get the ends of the lines they replace, or of their
// neighbours; a last line that had no end keeps none.
func (item Item) locateLines(old text.Text) (diff.Edit, error) {
	total := old.Lines()
	if item.StartLine == nil || item.EndLine == nil {
		return diff.Edit{}, fault.New(fault.InvalidParams, `a range of lines needs "start_line" and "end_line"`)
	}
	start, end := toolcall.NumberOr(item.StartLine, 0), toolcall.NumberOr(item.EndLine, 0)
	if start < 1 || end < start-1 || end > total || start > total+1 {
		return diff.Edit{}, fault.New(fault.InvalidParams, "lines %d to %d are no range of a text of %d lines", start, end, total).
			Advise("Lines count from 1; end_line = start_line - 1 inserts before start_line.").With("total_lines", total)
	}
	span := text.Span{Start: old.LineStart(start - 1), End: old.LineStart(end)}
	fresh := AdaptLines(old, span, *item.NewText)
	if fresh == "" {
		return diff.Edit{Span: span}, nil
	}
	style := neighbourEnding(old, span)
	atEnd := span.End == old.Len()
	switch {
	case atEnd && span.Len() == 0 && total > 0 && !old.FinalNewline():
		// Inserted behind a last line without end: the end goes between.
		fresh = style + strings.TrimSuffix(strings.TrimSuffix(fresh, "\n"), "\r")
	case !EndsLine(fresh) && !(atEnd && total > 0 && !old.FinalNewline()):
		fresh += style
	}
	return diff.Edit{Span: span, New: fresh}, nil
}

// joinAppended mends a line that is appended behind a last line without end,
// when another edit of the same call takes that line away or ends it: the end
// that was to go between is then one too many.
func joinAppended(old text.Text, edits []diff.Edit) {
	n := len(edits)
	if n < 2 || old.FinalNewline() || edits[n-1].Span.Start != old.Len() || edits[n-2].Span.End != old.Len() {
		return
	}
	before := edits[n-2].New
	if before == "" {
		start := edits[n-2].Span.Start
		before = old.Slice(text.Span{Start: max(0, start-1), End: start})
	}
	if before == "" || EndsLine(before) {
		edits[n-1].New = cutEnd(edits[n-1].New)
	}
}

// cutEnd returns s without the line end at its front, if there is one.
func cutEnd(s string) string {
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if rest, ok := strings.CutPrefix(s, end); ok {
			return rest
		}
	}
	return s
}

// EndsLine reports whether s ends with a line end.
func EndsLine(s string) bool {
	return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")
}

// AdaptLines gives each LF and CRLF of fresh, which is to replace span in old,
// the form it has to have there; a lone CR stays one. Lines that stand unchanged at the beginning
// and at the end of both keep their ends, changed lines take those of the
// lines they replace, further ones that of the line before them.
func AdaptLines(old text.Text, span text.Span, fresh string) string {
	if !strings.ContainsAny(fresh, "\r\n") {
		return fresh
	}
	if rest := cutEnd(fresh); rest != fresh && span.Start > 0 && old.Slice(text.Span{Start: span.Start - 1, End: span.Start}) == "\r" {
		// Behind a lone CR an LF would make one line end of two.
		return "\r" + AdaptLines(old, span, rest)
	}
	style := neighbourEnding(old, span)
	if style == "\n" && !strings.Contains(fresh, "\r\n") && !strings.Contains(old.Slice(span), "\r") {
		return fresh // nothing to adapt
	}
	was, now := splitLines(old.Slice(span)), splitLines(fresh)
	head := 0
	for head < len(was) && head < len(now) && was[head].body == now[head].body {
		head++
	}
	tail := 0
	for tail < len(was)-head && tail < len(now)-head && was[len(was)-1-tail].body == now[len(now)-1-tail].body {
		tail++
	}
	var b strings.Builder
	for i, line := range now {
		b.WriteString(line.body)
		from := i // the line of was whose end this one takes
		switch {
		case i >= len(now)-tail:
			from = len(was) - (len(now) - i)
		case i >= len(was)-tail:
			from = -1
		}
		if from >= 0 && was[from].end != "" {
			style = was[from].end
		}
		if line.end == "\r" || line.end == "" { // nothing ends the last line
			b.WriteString(line.end)
		} else {
			b.WriteString(style)
		}
	}
	return b.String()
}

type splitLine struct{ body, end string }

// splitLines divides s at LF, CRLF and, as texts do, at lone CRs.
func splitLines(s string) []splitLine {
	var lines []splitLine
	for s != "" {
		n := text.LineLen([]byte(s))
		body, end := wording.SplitEnd([]byte(s[:n]))
		lines = append(lines, splitLine{string(body), string(end)})
		s = s[n:]
	}
	return lines
}

// neighbourEnding returns the line end that new lines at span take: that of
// the span's first line, else of the line before; LF in a text without any.
func neighbourEnding(t text.Text, span text.Span) string {
	line := t.LineAt(span.Start)
	for _, l := range []int{line, line - 1} {
		end := t.LineStart(l + 1)
		tail := t.Slice(text.Span{Start: max(t.LineStart(l), t.FloorChar(max(0, end-2))), End: end})
		for _, style := range []string{"\r\n", "\n", "\r"} {
			if strings.HasSuffix(tail, style) {
				return style
			}
		}
	}
	return "\n"
}
