package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// repair gives definitions their end where the grammar failed and cut them
// short: at the brace that closes their body, if it stands below the
// definition's beginning, as those who write code put it.
func (a *assembly) repair() {
	blocks := rewriting{code: a.language.CodeOnly(a.src)}
	for i := range a.made {
		d := &a.made[i]
		if !d.Kind.IsType() && !d.Kind.IsFunction() && d.Kind != Namespace && d.Kind != Module {
			continue
		}
		open, found := a.bodyOf(&d.Definition, blocks.code)
		if !found {
			continue
		}
		end := blocks.blockEnd(open)
		if end > d.Span.End && isBelow(a.src, end-1, d.Head) {
			d.Body, d.Span.End = min(d.Body, open), end
		}
	}
}

// bodyOf returns where the brace is that opens the body of d: in it, or
// directly behind it if the grammar saw no body.
func (a *assembly) bodyOf(d *Definition, code []byte) (open text.Offset, found bool) {
	open = d.Body
	if d.Body >= d.Span.End {
		open = d.Span.End + len(code[d.Span.End:]) - len(bytes.TrimLeft(code[d.Span.End:], " \t\r\n"))
	}
	return open, open < len(code) && code[open] == '{'
}

// isBelow tells that what stands at a place is the first on its line, and as
// far from the line's start as the first on the line of another place.
func isBelow(src []byte, at, other text.Offset) bool {
	line, above := lineUpTo(src, at), lineUpTo(src, other)
	if line.Len() > 0 {
		return false
	}
	return string(indentBefore(src, line.Start)) == string(indentBefore(src, above.Start))
}

// indentBefore returns the blanks in front of a place.
func indentBefore(src []byte, at text.Offset) []byte { return src[skipBlanksBack(src, at):at] }
