package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// blanksOfMarkdown finds the lines of fenced code that Markdown's grammar takes
// for the end of it: those that hold a fence behind other text, as examples in
// the comments of code do.
func blanksOfMarkdown(src []byte, _ text.Span) []blank {
	var blanks []blank
	fence, width := byte(0), 0 // of the open code, 0 for none
	for at := 0; ; {
		mark := nextFence(src[at:])
		if mark < 0 {
			return blanks
		}
		line := wholeLines(src, text.Span{Start: at + mark, End: at + mark})
		at = line.End
		c, n, rest := fenceAt(src[line.Start:line.End])
		switch {
		case fence == 0:
			if n >= 3 && (c == '~' || bytes.IndexByte(rest, '`') < 0) {
				fence, width = c, n
			}
		case c == fence && n >= width && len(bytes.TrimSpace(rest)) == 0:
			fence = 0
		default:
			blanks = append(blanks, blank{Span: line})
		}
	}
}

func nextFence(b []byte) int {
	ticks, tildes := bytes.Index(b, []byte("```")), bytes.Index(b, []byte("~~~"))
	if ticks < 0 || tildes >= 0 && tildes < ticks {
		return tildes
	}
	return ticks
}

// fenceAt returns the fence that a line begins with, past the marks of
// quotations and lists, and what stands behind it; n is 0 when there is none.
func fenceAt(line []byte) (c byte, n int, rest []byte) {
	line = bytes.TrimLeft(line, " \t>-*+.)0123456789")
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return 0, 0, nil
	}
	rest = bytes.TrimLeft(line, string(line[:1]))
	return line[0], len(line) - len(rest), rest
}
