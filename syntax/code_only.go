package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// blocksOf returns what stands between braces, with them.
func blocksOf(code []byte) []text.Span {
	var open []int // indexes of blocks
	blocks := []text.Span{}
	for i, c := range code {
		switch {
		case c == '{':
			open = append(open, len(blocks))
			blocks = append(blocks, text.Span{Start: i})
		case c == '}' && len(open) > 0:
			blocks[open[len(open)-1]].End = i + 1
			open = open[:len(open)-1]
		}
	}
	return blocks
}

// CodeOnly returns src with blanks for comments and for what is between
// quotes. Strings that go over lines are known by three quotes only: a single
// one that is not closed in its line is no string, but an apostrophe.
func (l *Language) CodeOnly(src []byte) []byte {
	code := bytes.Clone(src)
	for i := 0; i < len(src); {
		n, quote := l.Comments.lenAt(src[i:]), 0
		if n == 0 && (src[i] == '"' || src[i] == '\'') {
			if n, quote = quotationLen(src[i:]); quote == 0 { // an apostrophe
				i += n
				continue
			}
		}
		if n == 0 && src[i] == '`' && l.Name == "go" { // elsewhere there may be code in it
			if end := bytes.IndexByte(src[i+1:], '`'); end >= 0 {
				n, quote = end+2, 1
			}
		}
		for j := i + quote; j < i+n-quote; j++ {
			if !isLineEnd(code[j]) {
				code[j] = ' '
			}
		}
		i += max(n, 1)
	}
	return code
}

// lenAt returns the length of the comment that b begins with; 0 for none.
func (c Comments) lenAt(b []byte) int {
	for _, marks := range c.Block { // before those for lines: Lua's "--[[" begins with "--"
		if bytes.HasPrefix(b, []byte(marks[0])) {
			if n := bytes.Index(b[len(marks[0]):], []byte(marks[1])); n >= 0 {
				return len(marks[0]) + n + len(marks[1])
			}
			return len(b)
		}
	}
	for _, mark := range c.Line {
		if bytes.HasPrefix(b, []byte(mark)) {
			if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
				return n
			}
			return len(b)
		}
	}
	return 0
}

// quotationLen returns the length of the string that b begins with, and that
// of its quotes; 1 and 0 when it is none.
func quotationLen(b []byte) (n, quote int) {
	if three := bytes.Repeat(b[:1], 3); bytes.HasPrefix(b, three) {
		if end := bytes.Index(b[3:], three); end >= 0 {
			return end + 6, 3
		}
		return 3, 0
	}
	for i := 1; i < len(b) && !isLineEnd(b[i]); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1, 1
		}
	}
	return 1, 0
}
