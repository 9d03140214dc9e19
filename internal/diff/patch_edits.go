package diff

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// appendEdits appends the edits that the hunk makes at its one place, one for
// each run of changed lines.
func (p *placed) appendEdits(edits []Edit) []Edit {
	line := int(p.places[0])
	run := changedRun{hunk: p.hunk, indent: p.reindent(line), lines: p.lines, start: line, end: line, exact: p.match == MatchExact && (p.hunk.old > 0 || strings.Contains(p.hunk.body, "\r") && !p.hunk.crlf)}
	for l := range p.hunk.lines() {
		switch l.mark {
		case ' ':
			edits = run.appendTo(edits)
			run.start, run.end = run.end+1, run.end+1
			run.fresh, run.wasEndless = run.fresh[:0], false
		case '-':
			run.end++
			run.wasEndless = l.noEnd
		case '+':
			run.fresh = append(run.fresh, int32(l.start)) // MaxPatch is less
		}
	}
	return run.appendTo(edits)
}

// changedRun is lines that go, [start, end) of a text, and those that come in
// their place.
type changedRun struct {
	hunk       *Hunk
	indent     func(string) string // gives them the text's indentation
	lines      *lineTable
	start, end int
	fresh      []int32 // where they begin in the hunk's body: there may be millions
	wasEndless bool    // the patch says that the last line that goes has no end
	exact      bool    // the patch has the very bytes of the text
}

func (r *changedRun) appendTo(edits []Edit) []Edit {
	if r.start == r.end && len(r.fresh) == 0 {
		return edits
	}
	span := text.Span{Start: r.lines.start(r.start), End: r.lines.start(r.end)}
	return append(edits, Edit{Span: span, New: r.text(span)})
}

// text returns what comes. Where the patch does not have the very bytes of
// the text, new lines end as those they replace do, or their neighbours. A
// last line without end stays so, unless the patch says otherwise.
func (r *changedRun) text(span text.Span) string {
	if len(r.fresh) == 0 {
		return ""
	}
	atEnd := span.End == len(r.lines.whole)
	endless := atEnd && span.End > 0 && lineEnd(r.lines.line(r.lines.len()-1)) == ""
	appended := endless && r.start == r.end
	var b strings.Builder
	if appended {
		b.WriteString(r.neighbour())
	}
	for i, at := range r.fresh {
		l := r.hunk.lineAt(int(at))
		l.text = r.indent(l.text)
		last := i == len(r.fresh)-1
		body := strings.TrimSuffix(l.text, "\r")
		switch {
		case last && atEnd && l.noEnd:
			b.WriteString(l.text)
		case r.exact && !appended:
			b.WriteString(l.text)
			b.WriteByte('\n')
		case last && endless && !r.wasEndless:
			b.WriteString(body)
		default:
			b.WriteString(body)
			b.WriteString(r.endOf(i))
		}
	}
	return b.String()
}

// endOf returns the end of the i-th new line: that of the line it replaces,
// else of the last one that is replaced, else of a neighbour.
func (r *changedRun) endOf(i int) string {
	for line := min(r.start+i, r.end-1); line >= r.start; line-- {
		if end := lineEnd(r.lines.line(line)); end != "" {
			return end
		}
	}
	return r.neighbour()
}

// neighbour returns the end of the line before the run, else of that behind
// it, LF without either.
func (r *changedRun) neighbour() string {
	for _, line := range []int{r.start - 1, r.start - 2, r.end} {
		if line < 0 || line >= r.lines.len() {
			continue
		}
		if end := lineEnd(r.lines.line(line)); end != "" {
			return end
		}
	}
	return "\n"
}

// lineEnd returns what ends a line: LF, CRLF, CR or nothing.
func lineEnd(line string) string { return line[len(bare(line)):] }

// indentation tells what blanks stand in a text where the old lines of the
// hunk have the indentation that all of them have in common; not ok when that
// is not the same for all, or when another than the blanks in front differs.
func (p *placed) indentation(line int) (found string, ok bool) {
	common := commonIndent(p.old)
	first := true
	for i, old := range p.old {
		have := unblanked(p.lines.line(line + i))
		if old = unblanked(old); old == "" || have == "" {
			if old != have {
				return "", false
			}
			continue
		}
		blanks, has := strings.CutSuffix(have, old[len(common):])
		if !has || strings.Trim(blanks, " \t") != "" || !first && blanks != found {
			return "", false
		}
		found, first = blanks, false
	}
	return found, !first
}

// commonIndent returns the blanks that all lines begin with that are not
// empty.
func commonIndent(lines []string) string {
	common, first := "", true
	for _, line := range lines {
		if unblanked(line) == "" {
			continue
		}
		if indent := line[:indentOf(line)]; first {
			common, first = indent, false
		}
		for !strings.HasPrefix(line, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// reindent returns what gives a new line the indentation of the text.
func (p *placed) reindent(line int) func(string) string {
	if p.match != MatchIndentation {
		return func(s string) string { return s }
	}
	found, _ := p.indentation(line)
	common := commonIndent(p.old)
	return func(s string) string {
		if rest, has := strings.CutPrefix(s, common); has && unblanked(s) != "" {
			return found + rest
		}
		return s
	}
}
