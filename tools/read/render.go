package read

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// minNumberWidth is the width of line numbers in the xml style.
const minNumberWidth = 4

// renderer renders lines in a style.
type renderer struct {
	style RenderStyle
	width int // of right-aligned numbers
	dst   []byte
}

// newRenderer returns a renderer for about size bytes in lines lines, of which
// the last has the number last.
func newRenderer(style RenderStyle, size, lines, last int) *renderer {
	return &renderer{
		style: style,
		width: max(minNumberWidth, len(strconv.Itoa(last))),
		dst:   make([]byte, 0, size+lines*decoration(style, last)),
	}
}

// decoration returns how many bytes a style adds to the line with a number.
func decoration(style RenderStyle, number int) int {
	switch style {
	case PlainText:
		return 0
	case XMLStyle:
		return max(minNumberWidth, len(strconv.Itoa(number))) + len(" | ")
	}
	return len(strconv.Itoa(number)) + len("|")
}

// frameBytes returns how many bytes a style adds around the lines, at most.
func frameBytes(style RenderStyle, out *Output) int {
	if style != XMLStyle {
		return 0
	}
	return len(frameTag(out)) + 2*len("1000000000") + len("</file>")
}

// frameTag is the tag that opens the lines in the xml style.
func frameTag(out *Output) string {
	lines := ""
	if s := out.LinesShown; s != nil {
		lines = fmt.Sprintf("%d-%d", s.Start, s.End)
	}
	return fmt.Sprintf("<file path=%s lines=%q total=\"%d\">\n", attribute(out.Path), lines, *out.TotalLines)
}

// line adds a line, given with its end. Only the plain style keeps ends as
// they are.
func (r *renderer) line(number int, line []byte) {
	if r.style == PlainText {
		r.dst = append(r.dst, line...)
		return
	}
	body, _ := wording.SplitEnd(line)
	if r.style == XMLStyle {
		digits := strconv.Itoa(number)
		r.dst = append(r.dst, "    "[:max(0, r.width-len(digits))]...)
		r.dst = append(append(r.dst, digits...), " | "...)
	} else {
		r.dst = append(strconv.AppendInt(r.dst, int64(number), 10), '|')
	}
	r.dst = append(append(r.dst, body...), '\n')
}

// finish returns what was rendered. Numbered lines stand without an end after
// the last one.
func (r *renderer) finish(out *Output) string {
	if r.style == PlainText {
		return reinterpret.String(r.dst)
	}
	body := strings.TrimSuffix(reinterpret.String(r.dst), "\n")
	if r.style != XMLStyle {
		return body
	}
	if body != "" {
		body += "\n"
	}
	return frameTag(out) + body + "</file>"
}

func attribute(s string) string {
	return `"` + strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\n", "&#10;").Replace(s) + `"`
}

// renderText renders raw, whose first line has the number first. It takes raw
// over.
func renderText(raw []byte, first int, style RenderStyle, out *Output) string {
	if style == PlainText {
		return reinterpret.String(raw)
	}
	r := newRenderer(style, len(raw), out.LinesShown.End-first+1, out.LinesShown.End)
	for number := first; len(raw) > 0; number++ {
		n := text.LineLen(raw)
		r.line(number, raw[:n])
		raw = raw[n:]
	}
	return r.finish(out)
}

func setContent(out *Output, content string) { out.Content = &content }

// Render makes the header, one line: what the call does not say of what is shown,
// the text's hash, how it differs from a saved file of UTF-8 in lines that end
// with LF, and how to go on.
func (o *Output) Render(show toolcall.ShowHash) toolcall.Rendering {
	if o.several != nil {
		return o.several.render()
	}
	shown := o.shown()
	if o.since != "" {
		shown = "changed"
	}
	r := toolcall.Rendering{Summary: wording.OneLine(o.Path) + ": " + shown + o.Mark(), Blocks: o.blocks}
	var said []string
	say := func(s string) {
		if s = strings.TrimPrefix(s, "; "); s != "" {
			said = append(said, s)
		}
	}
	if o.isAsAsked() {
		shown = ""
	}
	say(strings.TrimSpace(shown + o.Mark()))
	if !o.NotModified {
		say("hash " + show(o.Path, o.ContentHash))
	}
	if !o.NotModified && o.ReadMode != modeBinary {
		say(o.Form())
	}
	if o.isWhole() && o.FinalNewline != nil && !*o.FinalNewline {
		say("no final newline")
	}
	if o.named != "" {
		say("symbol: " + wording.OneLine(o.named))
	}
	say(o.continuation())
	for _, n := range o.Notes {
		say("note: " + n)
	}
	r.Header = strings.Join(said, "; ")
	if o.found {
		r.Header = wording.OneLine(o.Path) + ": " + r.Header
	}
	switch {
	case o.Changes != "":
		r.Body = o.Changes
	case o.Content != nil:
		r.Body = *o.Content
	case o.ContentBase64 != "":
		r.Body = o.ContentBase64
	}
	r.After = o.outlineText + o.errorText
	return r
}

// isWhole reports whether all lines of a text are shown.
func (o *Output) isWhole() bool {
	return o.LinesShown != nil && *o.LinesShown == toolcall.LineRange{Start: 1, End: *o.TotalLines} && !o.Truncated && !o.PartialLine
}

// isAsAsked reports whether what is shown needs no words: all of the text, or the lines
// that the call names, with their numbers.
func (o *Output) isAsAsked() bool {
	switch {
	case o.rendered != "" || o.NotModified || o.since != "":
		return o.ReadMode == modeRows && !o.Truncated && o.LinesShown != nil
	case o.ReadMode == modeLines && o.numbered && o.LinesShown != nil:
		return !o.Truncated && !o.PartialLine
	}
	return o.isWhole()
}

// shown reports what is shown of what.
func (o *Output) shown() string {
	clamped := ""
	if o.Clamped {
		clamped = fmt.Sprintf(", max_bytes was clamped to %d", maxWindowBytes)
	}
	switch {
	case o.NotModified:
		return "not modified"
	case o.ReadMode == modeOutline:
		return o.outlineShown()
	case o.rendered != "":
		return o.rendered
	case o.ReadMode == modeImage:
		return fmt.Sprintf("%s, %d bytes, %s pixels", o.blocks[0].MIMEType, len(o.blocks[0].Data), o.imageSize)
	case len(o.blocks) > 0:
		return fmt.Sprintf("%s, %d bytes", o.blocks[0].MIMEType, o.SizeBytes)
	case o.ReadMode == modeBinary:
		return fmt.Sprintf("bytes %d-%d of %d as base64%s", o.BytesShown.Start, o.BytesShown.End, o.SizeBytes, clamped)
	case o.LinesShown == nil:
		return fmt.Sprintf("no lines of %d", *o.TotalLines)
	}
	if o.PartialLine {
		clamped = " in part" + clamped
	}
	lines := "line " + strconv.Itoa(o.LinesShown.Start)
	if o.LinesShown.End > o.LinesShown.Start {
		lines = fmt.Sprintf("lines %d-%d", o.LinesShown.Start, o.LinesShown.End)
	}
	if o.ReadMode == modeSymbol && !o.Truncated {
		return lines + clamped
	}
	return fmt.Sprintf("%s of %d%s", lines, *o.TotalLines, clamped)
}

// continuation reports how to read on.
func (o *Output) continuation() string {
	var ways []string
	if o.ReadMode == modeOutline {
		ways = append(ways, "read on with symbol, or start_line and end_line")
	}
	if o.NextStartByte != nil {
		ways = append(ways, fmt.Sprintf("continue with start_byte=%d", *o.NextStartByte))
	}
	if o.NextOffset != nil {
		ways = append(ways, fmt.Sprintf("continue with offset=%d", *o.NextOffset))
	}
	if o.ReadMode == modeTail && o.PrevOffset != nil {
		ways = append(ways, fmt.Sprintf("earlier ones with offset=%d", *o.PrevOffset))
	}
	return strings.Join(ways, ", ")
}

// fit returns how many bytes of text from start on have room when they are
// rendered in a style.
func fit(c buffers.Content, start, room int, style RenderStyle) int {
	end := min(start+room, c.Len())
	lines := c.LineAt(max(end-1, start)) - c.LineAt(start) + 1
	return max(room-lines*decoration(style, c.Lines()), room/2)
}
