package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Above returns the start of the comments that stand directly above head, with
// no blank line and no code between; head itself when there are none.
func (c Comments) Above(src []byte, head text.Offset) text.Offset { return leadStart(src, head, c) }

// leadStart returns the start of the comments that stand directly above head,
// with no blank line and no code between; head itself when there are none. It
// looks at text alone, so that it serves parsed and unparsed texts alike.
func leadStart(src []byte, head text.Offset, c Comments) text.Offset {
	for start := head; ; {
		end, same := endBefore(src, start)
		above, found := c.blockBefore(src, end)
		if !found && !same {
			above, found = c.lineComment(src, lineUpTo(src, end))
		}
		if !found {
			return start
		}
		start = above
	}
}

// endBefore returns the end of what stands before at, without blanks: on the
// same line if there is anything, else on the line above.
func endBefore(src []byte, at text.Offset) (end text.Offset, same bool) {
	end = skipBlanksBack(src, at)
	if end == 0 || !isLineEnd(src[end-1]) {
		return end, end > 0
	}
	end--
	if end > 0 && src[end] == '\n' && src[end-1] == '\r' {
		end--
	}
	return skipBlanksBack(src, end), false
}

// lineUpTo returns the line that ends at end, without the blanks it begins
// with. A line that is longer than any comment's is as good as empty.
func lineUpTo(src []byte, end text.Offset) text.Span {
	const longest = 4096
	start := end
	for start > 0 && !isLineEnd(src[start-1]) {
		if start--; end-start > longest {
			return text.Span{Start: end, End: end}
		}
	}
	for start < end && isBlank(src[start]) {
		start++
	}
	return text.Span{Start: start, End: end}
}

func skipBlanksBack(src []byte, at text.Offset) text.Offset {
	for at > 0 && isBlank(src[at-1]) {
		at--
	}
	return at
}

func isBlank(c byte) bool   { return c == ' ' || c == '\t' || c == '\f' || c == '\v' }
func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// lineComment tells that a line is nothing but a comment. The first line of a
// script, "#!", is none.
func (c Comments) lineComment(src []byte, line text.Span) (start text.Offset, found bool) {
	content := src[line.Start:line.End]
	if line.Start == 0 && bytes.HasPrefix(content, []byte("#!")) {
		return 0, false
	}
	for _, mark := range c.Line {
		if bytes.HasPrefix(content, []byte(mark)) {
			return line.Start, true
		}
	}
	return 0, false
}

// blockBefore returns the start of the block comment that ends at end. It has
// to begin a line, so that it is nobody else's.
func (c Comments) blockBefore(src []byte, end text.Offset) (start text.Offset, found bool) {
	for _, marks := range c.Block {
		if bytes.HasSuffix(src[:end], []byte(marks[1])) {
			return blockStart(src, end-len(marks[1]), []byte(marks[0]), []byte(marks[1]))
		}
	}
	return 0, false
}

// blockStart goes up from the closer at end to the line that begins with an
// opener. It stops at whatever shows that they are no pair; so the work for
// all definitions of a text is proportional to its length.
func blockStart(src []byte, end text.Offset, opener, closer []byte) (start text.Offset, found bool) {
	for {
		line := lineUpTo(src, end)
		content := src[line.Start:line.End]
		if bytes.HasPrefix(content, opener) && !bytes.Contains(content[len(opener):], closer) {
			return line.Start, true
		}
		if bytes.Contains(content, closer) || bytes.Contains(content, opener) {
			return 0, false
		}
		var same bool
		if end, same = endBefore(src, line.Start); same || end == 0 {
			return 0, false
		}
	}
}
