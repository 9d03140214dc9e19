package read

import (
	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// maxWidening is how many lines a window may gain by ending where definitions
// end.
const maxWidening = 500

// widener moves the ends of a window of whole lines; see
// [outline.Outline.Widen].
type widener func(outline.Window) outline.Widening

// readWindow answers a byte window: the requested bytes, widened to whole
// lines, then to whole definitions. Paging from 0 by next_start_byte gives the
// text without gap or overlap, because a window ends either at a line's end,
// where the next one may begin, or inside a line that is too long for windows
// of its size, whose characters are then taken as they come.
func readWindow(c buffers.Content, in Input, out *Output, widen widener) error {
	length := c.Len()
	size := toolcall.NumberOr(in.MaxBytes, defaultWindowBytes)
	if size == 0 {
		return fault.New(fault.InvalidParams, `"max_bytes" must be at least 1`)
	}
	if size > maxWindowBytes {
		size, out.Clamped = maxWindowBytes, true
	}
	start := toolcall.NumberOr(in.StartByte, 0)
	most := in.most(c, min(start, length))
	if most < maxWindowBytes {
		size = min(size, max(1, most/windowShare*(windowShare-1)))
	}
	out.RequestedBytes = &toolcall.ByteRange{Start: start, End: start + size}
	if start >= length {
		at := toolcall.ByteRange{Start: length, End: length}
		out.RoundedBytes, out.BytesShown, out.EOF = &at, &at, true
		out.Expansion = &expansion{Reason: "there is nothing from the start on"}
		if length > 0 {
			out.PrevStartByte = previousWindow(c, length, size)
		}
		setContent(out, "")
		return nil
	}
	w := roundWindow(c, start, size)
	out.PartialLine = w.partial
	out.RoundedBytes = &toolcall.ByteRange{Start: w.Start, End: w.End}
	out.Expansion = w.widen(c, in, most, widen)
	showSpan(c, w.Span, w.lines, in.Format, out)
	out.EOF = w.End == length
	out.Truncated = !out.EOF
	if !out.EOF {
		out.NextStartByte = &w.End
	}
	if w.Start > 0 {
		out.PrevStartByte = previousWindow(c, w.Start, size)
	}
	return nil
}

// windowShare reports what of the room a window leaves to its widening: one part of
// so many.
const windowShare = 4

// most returns how many bytes of text the answer holds at most, from start on:
// what a call does not ask for has to fit in what the client shows.
func (in Input) most(c buffers.Content, start int) int {
	if in.MaxBytes != nil && !in.shared || in.client.Room == 0 {
		return maxWindowBytes
	}
	return fit(c, start, in.client.RoomFor(maxWindowBytes), in.Format)
}

// window is a span of text and the lines that it lies in; partial tells that
// it begins or ends inside a line.
type window struct {
	text.Span
	lines   toolcall.LineRange
	partial bool
}

// isLong reports whether windows of size bytes answer a line of n bytes in
// parts.
func isLong(n, size int) bool { return n > min(maxPerRequested*size, maxWindowBytes) }

// maxPerRequested is how many times the requested size a line may be long that
// is answered whole.
const maxPerRequested = 2

// roundWindow widens size bytes from start, which lies in the text, to whole
// lines within the cap. In a line that is long, a start and an end stay at
// their character. Where another line does not fit, the end goes back to the
// last line end after the start; where there is none, to its character.
func roundWindow(c buffers.Content, start, size int) window {
	var w window
	first := c.LineAt(start)
	w.Start = c.LineStart(first)
	if isLong(c.LineStart(first+1)-w.Start, size) {
		w.Start = c.FloorChar(start)
	}
	limit := w.Start + maxWindowBytes
	end := min(start+size, c.Len(), limit)
	last := c.LineAt(end - 1)
	lineStart, lineEnd := c.LineStart(last), c.LineStart(last+1)
	switch {
	case lineEnd-lineStart <= maxPerRequested*size && lineEnd <= limit:
		w.End = lineEnd
	case lineEnd-lineStart <= maxPerRequested*size && lineStart > w.Start:
		last--
		w.End, lineEnd = lineStart, lineStart
	default:
		if w.End = ceilChar(c, end); w.End > limit {
			w.End = c.FloorChar(end)
		}
	}
	w.lines = toolcall.LineRange{Start: first + 1, End: last + 1}
	w.partial = w.Start != c.LineStart(first) || w.End != lineEnd
	return w
}

// ceilChar returns o, or the end of the character that o lies in.
func ceilChar(c buffers.Content, o int) int {
	for o < c.Len() && c.FloorChar(o) != o {
		o++
	}
	return o
}

// previousWindow returns the start_byte of a window of size bytes that ends
// at end. Where the window would be cut before end, because it holds the whole
// line that it begins in, it begins after that line.
func previousWindow(c buffers.Content, end, size int) *int {
	start := max(0, end-size)
	line := c.LineAt(start)
	from, next := c.LineStart(line), c.LineStart(line+1)
	switch long := isLong(next-from, size); {
	case !long && next < end && end-from > maxWindowBytes:
		start = next
	case long && end-c.FloorChar(start) > maxWindowBytes:
		start = ceilChar(c, start)
	}
	return &start
}

// widen moves the window's ends to the borders of definitions. The start is
// kept where a line was asked for from its start on: there another window may
// have ended.
func (w *window) widen(c buffers.Content, in Input, most int, widen widener) *expansion {
	switch {
	case in.Expand == ExpandLines:
		return &expansion{Reason: `"expand" is "lines"`}
	case w.partial:
		return &expansion{Reason: "the window holds a part of a line"}
	}
	wider := widen(outline.Window{
		Span: w.Span, FreeStart: toolcall.NumberOr(in.StartByte, 0) > w.Start,
		MaxBytes: most, MaxLines: maxWidening,
	})
	w.Span = wider.Span
	w.lines = toolcall.LineRange{Start: c.LineAt(w.Start) + 1, End: c.LineAt(w.End-1) + 1}
	return &expansion{Applied: wider.Kind != "", Kind: wider.Kind, Name: wider.Name, Reason: wider.Reason}
}

// widen is the text's own [widener].
func (r *reading) widen(w outline.Window) outline.Widening {
	if !r.out.HasStructure() {
		return outline.Widening{Span: w.Span, Reason: "no syntax is known for this file"}
	}
	o := r.outline()
	if len(o.Symbols) == 0 {
		reason := "no definitions are known in this text"
		if o.Reason != "" {
			reason += ": " + o.Reason
		}
		return outline.Widening{Span: w.Span, Reason: reason}
	}
	return o.Widen(r.Content, w)
}

// readLines answers a range of lines.
func readLines(c buffers.Content, in Input, out *Output) error {
	total := c.Lines()
	start := max(1, toolcall.NumberOr(in.StartLine, 1))
	end := max(start, min(toolcall.NumberOr(in.EndLine, total), total))
	if start > total {
		setContent(out, "")
		return nil
	}
	return showWithin(c, SpanOf(c, toolcall.LineRange{Start: start, End: end}), in, out)
}

// readWidened answers a range of lines, widened to the definition around it:
// without an end, around its first line.
func (r *reading) readWidened() error {
	total := r.Content.Lines()
	start := max(1, toolcall.NumberOr(r.in.StartLine, 1))
	if start > total || !r.out.HasStructure() {
		return readLines(r.Content, r.in, r.out)
	}
	end := max(start, min(toolcall.NumberOr(r.in.EndLine, start), total))
	return showWithin(r.Content, SpanOf(r.Content, r.definitionAround(toolcall.LineRange{Start: start, End: end})), r.in, r.out)
}

// definitionAround returns the lines of the definition that lines stand in, with
// its comments: of a function that stands in no other, else of what has the field
// or value that they are of. They stay as they are where there is none, or where
// it would add too many.
func (r *reading) definitionAround(lines toolcall.LineRange) toolcall.LineRange {
	o := r.outline()
	at := -1
	for i := o.At(r.Content.LineStart(lines.Start - 1)); i >= 0; i = o.Symbols[i].Parent {
		s := &o.Symbols[i]
		if s.EndLine < lines.End || s.StartLine > lines.Start {
			continue
		}
		if at < 0 || toolcall.IsMember(o.Symbols[at].Kind) || s.Kind.IsFunction() {
			at = i
		}
	}
	if at < 0 {
		r.out.Expansion = &expansion{Reason: "the lines stand in no definition"}
		return lines
	}
	s := &o.Symbols[at]
	if s.EndLine-s.StartLine-(lines.End-lines.Start) > maxWidening {
		r.out.Expansion = &expansion{Reason: s.Kind.String() + " " + s.Name + " is too large"}
		return lines
	}
	r.out.Expansion = &expansion{Applied: true, Kind: s.Kind.String(), Name: s.Name}
	return toolcall.LineRange{Start: s.StartLine, End: s.EndLine}
}

// SpanOf returns the bytes of lines.
func SpanOf(c buffers.Content, lines toolcall.LineRange) text.Span {
	return text.Span{Start: c.LineStart(lines.Start - 1), End: c.LineStart(lines.End)}
}

// showWithin answers a span, which is not empty, in whole lines as far as the
// limits allow.
func showWithin(c buffers.Content, span text.Span, in Input, out *Output) error {
	limit := maxWindowBytes
	if in.EndLine == nil || in.shared {
		limit = in.most(c, span.Start)
	}
	if in.MaxBytes != nil {
		limit = min(limit, toolcall.NumberOr(in.MaxBytes, 0))
	}
	if limit == 0 {
		return fault.New(fault.InvalidParams, `"max_bytes" must be at least 1`)
	}
	if span.Len() > limit {
		cut := c.LineStart(c.LineAt(span.Start + limit))
		if cut <= span.Start { // not even one line fits
			cut = max(c.FloorChar(span.Start+limit), ceilChar(c, span.Start+1))
		}
		span.End = cut
		out.Truncated, out.NextStartByte = true, &cut
	}
	lines := toolcall.LineRange{Start: c.LineAt(span.Start) + 1, End: c.LineAt(span.End-1) + 1}
	out.PartialLine = SpanOf(c, lines) != span
	showSpan(c, span, lines, in.Format, out)
	return nil
}

// showSpan puts a span of text, which is not empty and lies in lines, into the
// answer.
func showSpan(c buffers.Content, s text.Span, lines toolcall.LineRange, style RenderStyle, out *Output) {
	out.BytesShown, out.LinesShown = &toolcall.ByteRange{Start: s.Start, End: s.End}, &lines
	raw := c.Append(make([]byte, 0, s.Len()), s)
	setContent(out, renderText(raw, lines.Start, style, out))
}
