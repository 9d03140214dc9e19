package read

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// readPage answers a page of lines, by default one that suits the type of
// file: the end of a log, the head of a table, little of what is minified.
func readPage(c buffers.Content, in Input, out *Output) error {
	total := c.Lines()
	limit := toolcall.NumberOr(in.Limit, out.ContentType.PageLines())
	if limit == 0 {
		return fault.New(fault.InvalidParams, `"limit" must be at least 1`)
	}
	first := toolcall.NumberOr(in.Offset, 0) // 0-based
	tail := out.ContentType == toolcall.TypeLog && in.Offset == nil
	if tail {
		out.ReadMode = modeTail
		first = max(0, total-limit)
	}
	first = min(first, total)
	if out.ContentType == toolcall.TypeLog && in.Format == "" {
		in.Format, out.numbered = PlainText, false // lines of a log have their times
	}
	p := page{content: c, style: in.Format, first: first, end: min(first+limit, total)}
	p.budget = in.client.RoomFor(MaxPageBytes) - frameBytes(in.Format, out)
	if tail && in.Limit == nil {
		p.budget = min(p.budget, toolcall.MaxLogPage)
	}
	p.reserve()
	if out.ContentType == toolcall.TypeTable && first > 0 && p.end > first {
		p.header()
		out.Notes = append(out.Notes, "The header, line 1, stands before the page.")
	}
	switch {
	case len(p.lines) == 0 && p.fillAtOnce():
	case tail:
		p.fillFromEnd()
	default:
		p.fill()
	}
	out.Truncated = p.end < total || tail && p.first > 0
	if p.end < total {
		next := p.end
		out.NextOffset = &next
	}
	if p.first > 0 {
		previous := max(0, p.first-limit)
		out.PrevOffset = &previous
	}
	out.EOF = p.end == total
	if p.first < p.end {
		out.LinesShown = &toolcall.LineRange{Start: p.first + 1, End: p.end}
		out.BytesShown = &toolcall.ByteRange{Start: c.LineStart(p.first), End: c.LineStart(p.end)}
	}
	if p.cut > 0 {
		out.Notes = append(out.Notes, p.cutNote())
	}
	setContent(out, p.text(out))
	return nil
}

// cutNote reports what is cut, and what it would cost to have it whole.
func (p *page) cutNote() string {
	if p.cut == 1 {
		return fmt.Sprintf("1 line of %d bytes is cut at %d characters; grep_files finds what is in it, start_line gives it whole.", p.longest, MaxPageLine)
	}
	return fmt.Sprintf("%d lines, the longest of %d bytes, are cut at %d characters; grep_files finds what is in them, start_line gives one whole.", p.cut, p.longest, MaxPageLine)
}

// page gathers rendered lines [first, end) within a budget of bytes.
type page struct {
	content    buffers.Content
	style      RenderStyle
	first, end int // 0-based, half open
	budget     int // bytes left
	cut        int // how many lines were cut
	longest    int // bytes of the longest line that was cut

	lines []pageLine
	buf   []byte // the lines, one after the other
	back  bool   // the last line first
}

// pageLine is a line of a page, in page.buf.
type pageLine struct {
	number     int // 1-based
	start, end int
}

// chunkBytes is how much is read at once for a page; a line that is longer
// has to be cut anyway.
const chunkBytes = 64 << 10

// reserve makes room for the lines, as far as the budget can hold them.
func (p *page) reserve() {
	span := p.content.LineStart(p.end) - p.content.LineStart(p.first)
	p.buf = make([]byte, 0, min(span, p.budget))
}

// header adds the text's first line.
func (p *page) header() {
	start := p.content.LineStart(0)
	p.add(0, text.Span{Start: start, End: p.content.LineStart(1)}, nil)
}

// fillAtOnce takes all lines in one read, where the budget surely holds them
// and none has to be cut: most files are like that.
func (p *page) fillAtOnce() bool {
	c := p.content
	span := text.Span{Start: c.LineStart(p.first), End: c.LineStart(p.end)}
	if span.Len()+(p.end-p.first)*decoration(p.style, p.end) > p.budget {
		return false
	}
	p.buf = c.Append(p.buf, span)
	if p.style == PlainText { // whose text is the buffer as it stands
		if hasLongLine(p.buf) {
			p.buf = p.buf[:0]
			return false
		}
		return true
	}
	for at, line := 0, p.first; at < len(p.buf); line++ {
		n := text.LineLen(p.buf[at:])
		if n > MaxPageLine {
			p.buf, p.lines = p.buf[:0], p.lines[:0]
			return false
		}
		p.lines = append(p.lines, pageLine{line + 1, at, at + n})
		at += n
	}
	return true
}

// hasLongLine reports whether a line of b may have to be cut. It looks at one
// line end for every so many bytes, not at every line.
func hasLongLine(b []byte) bool {
	for len(b) > MaxPageLine {
		end := bytes.LastIndexByte(b[:MaxPageLine], '\n')
		if end < 0 {
			return true
		}
		b = b[end+1:]
	}
	return false
}

// fill takes lines from the first on until the budget is spent; at least one.
func (p *page) fill() {
	c := p.content
	chunk := text.Span{Start: c.LineStart(p.first)}
	chunk.End = chunk.Start
	var b []byte // chunk's bytes
	for line, start := p.first, chunk.Start; line < p.end; line++ {
		n := text.LineLen(b[start-chunk.Start:])
		if start+n == chunk.End && chunk.End < c.Len() { // it may go on
			chunk = text.Span{Start: start, End: min(start+chunkBytes, c.Len())}
			b = c.Append(b[:0], chunk)
			n = text.LineLen(b)
		}
		span := text.Span{Start: start, End: start + n}
		if span.End == chunk.End && chunk.End < c.Len() {
			span.End = c.LineStart(line + 1)
		}
		if !p.add(line, span, b[start-chunk.Start:][:n]) && line > p.first {
			p.end = line
			return
		}
		if start = span.End; start > chunk.End {
			chunk, b = text.Span{Start: start, End: start}, b[:0]
		}
	}
}

// fillFromEnd takes lines from the last backwards; at least one.
func (p *page) fillFromEnd() {
	defer func() { slices.Reverse(p.lines) }()
	p.back = true
	c := p.content
	chunk := text.Span{Start: c.LineStart(p.end)}
	chunk.End = chunk.Start
	var b []byte
	for line, end := p.end-1, chunk.Start; line >= p.first; line-- {
		start := chunk.Start + lastLine(b[:end-chunk.Start])
		if start == chunk.Start && start > 0 { // it may begin before
			chunk = text.Span{Start: c.FloorChar(max(0, end-chunkBytes)), End: end}
			b = c.Append(b[:0], chunk)
			start = chunk.Start + lastLine(b)
		}
		span := text.Span{Start: start, End: end}
		var known []byte
		if start == chunk.Start && start > 0 {
			span.Start = c.LineStart(line)
		} else {
			known = b[start-chunk.Start : end-chunk.Start]
		}
		if !p.add(line, span, known) && line < p.end-1 {
			p.first = line + 1
			return
		}
		if end = span.Start; end < chunk.Start {
			chunk, b = text.Span{Start: end, End: end}, b[:0]
		}
	}
}

// add appends a line to the page, cut when it is too long. known holds the
// line's beginning, or nothing when it has to be read. Beyond the first line,
// it refuses what the budget does not hold.
func (p *page) add(line int, span text.Span, known []byte) bool {
	const most = MaxPageLine*utf8.UTFMax + len("\r\n")
	start, cut := len(p.buf), p.cut
	if need := min(span.Len(), most); len(known) >= need {
		p.buf = append(p.buf, known[:need]...)
	} else {
		p.buf = p.content.Append(p.buf, text.Span{Start: span.Start, End: span.Start + need})
	}
	p.cutLine(start, span.Len() > most)
	cost := len(p.buf) - start + decoration(p.style, p.end)
	if cost > p.budget && len(p.lines) > 0 {
		p.buf, p.cut = p.buf[:start], cut
		return false
	}
	if p.cut > cut {
		p.longest = max(p.longest, span.Len())
	}
	p.budget -= cost
	p.lines = append(p.lines, pageLine{line + 1, start, len(p.buf)})
	return true
}

// cutLine shortens the line that begins at start in the buffer. goesOn tells
// that the line is longer than what the buffer has of it.
func (p *page) cutLine(start int, goesOn bool) {
	body, end := wording.SplitEnd(p.buf[start:])
	n := wording.CutAt(body, MaxPageLine)
	if n == len(body) && !goesOn {
		return
	}
	p.cut++
	ending := string(end)
	if goesOn {
		ending = "\n"
	}
	p.buf = append(append(p.buf[:start+n], "[truncated]"...), ending...)
}

// lastLine returns where the last line of b begins, its end included.
func lastLine(b []byte) int {
	body, _ := wording.SplitEnd(b)
	return bytes.LastIndexAny(body, "\r\n") + 1
}

// text renders the page.
func (p *page) text(out *Output) string {
	if p.style == PlainText && !p.back {
		return reinterpret.String(p.buf)
	}
	r := newRenderer(p.style, len(p.buf), len(p.lines), p.end)
	for _, l := range p.lines {
		r.line(l.number, p.buf[l.start:l.end])
	}
	return r.finish(out)
}
