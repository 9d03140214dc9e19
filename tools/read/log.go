package read

import (
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Sizes of the first page of a log, in bytes.
const (
	logTailBytes = 2 << 10
	logErrors    = toolcall.MaxLogPage - logTailBytes - 1<<10 // what is left is for numbers and marks
	// logScan is how much of a log's end is looked through for errors.
	logScan = 8 << 20
)

// logError is an error in a log, as it came last.
type logError struct {
	Line  int    `json:"line" jsonschema:"Where it came last: its last line."`
	Count int    `json:"count" jsonschema:"How often it came, whatever numbers it names."`
	Text  string `json:"text"`
}

// wantsSummary reports whether the first page of a log is asked for, and is not
// all of it.
func (r *reading) wantsSummary() bool {
	in := r.in
	return r.out.ContentType == toolcall.TypeLog && in.mode() == modeOffset && in.Offset == nil && in.Limit == nil && r.Content.Len() > toolcall.MaxLogPage
}

// readLog answers the last lines of a log, and the last errors before them, each
// once. It reports whether it did: not where the log's end is one long line.
func (r *reading) readLog() bool {
	c := r.Content
	start := max(0, c.Len()-logScan)
	line := c.LineAt(start)
	if start > 0 {
		line++
		if start = c.LineStart(line); start >= c.Len() {
			return false
		}
	}
	s := output.NewSummary(logTailBytes, logErrors)
	var b []byte
	for at := start; at < c.Len(); at += len(b) {
		b = c.Append(b[:0], text.Span{Start: at, End: min(at+4*chunkBytes, c.Len())})
		_, _ = s.Write(b) // a summary takes everything
	}
	s.Close()
	last := s.Last()
	if len(last) == 0 {
		return false // all of it is noise
	}
	first := line + last[0].Number - 1 // from 0
	if r.in.Format == PlainText {
		first = r.plainTail()
	} else {
		r.showLast(last, line)
	}
	out, total := r.out, c.Lines()
	out.ReadMode, out.EOF, out.Truncated = modeTail, true, first > 0
	out.LinesShown, out.BytesShown = &toolcall.LineRange{Start: first + 1, End: total}, &toolcall.ByteRange{Start: c.LineStart(first), End: c.Len()}
	if first > 0 {
		previous := max(0, first-out.ContentType.PageLines())
		out.PrevOffset = &previous
	}
	r.showErrors(s, first, line)
	if !s.Exact() && r.in.Format != PlainText {
		r.note("Colors, and lines written over or repeated, are left out; format plain has them.")
	}
	return true
}

// plainTail puts the exact last lines into the answer, and returns the first, from 0.
func (r *reading) plainTail() int {
	c := r.Content
	p := page{content: c, style: PlainText, end: c.Lines(), budget: logTailBytes}
	p.fillFromEnd()
	setContent(r.out, p.text(r.out))
	return p.first
}

// showLast renders the last lines, whose numbers count from line.
func (r *reading) showLast(last []output.Line, line int) {
	size := 0
	for _, l := range last {
		size += len(l.Text) + len("[1000 times]\n")
	}
	total := r.Content.Lines()
	v := newRenderer(r.in.Format, size, len(last), total)
	for _, l := range last {
		v.line(line+l.Number, []byte(l.Text+times(l.Times)+"\n"))
	}
	setContent(r.out, v.finish(r.out))
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" [%d times]", n)
}

// showErrors puts the errors before the line first, from 0, into the answer. The
// summary's lines count from line.
func (r *reading) showErrors(s *output.Summary, first, line int) {
	told, left := s.Errors(first - line + 1)
	if len(told) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "last errors in lines %d-%d, each once:", line+1, first)
	if left > 0 {
		fmt.Fprintf(&b, " (%d left out)", left)
	}
	for _, t := range told {
		var whole []string
		for i, l := range t.Lines {
			mark := ""
			if i == len(t.Lines)-1 {
				mark = times(t.Count)
			}
			fmt.Fprintf(&b, "\n%d|%s%s", line+l.Number, l.Text, mark)
			whole = append(whole, l.Text)
		}
		r.out.Errors = append(r.out.Errors, logError{Line: line + t.Lines[len(t.Lines)-1].Number, Count: t.Count, Text: strings.Join(whole, "\n")})
	}
	r.out.errorText = b.String()
}
