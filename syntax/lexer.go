package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// lexer divides a text into tokens, for the languages that are read without
// their grammar where that fails.
type lexer struct {
	src      []byte
	at       text.Offset
	comments Comments
	quotes   string // what begins a string and, mostly, ends it
}

// token is a word ('a'), a string ('"'), a mark (itself) or the end (0).
type token struct {
	text.Span
	kind byte
}

func (x *lexer) text(t token) string { return string(x.src[t.Start:t.End]) }

// next returns the token at or behind the lexer's place and goes behind it.
func (x *lexer) next() token {
	x.skip()
	start := x.at
	if start >= len(x.src) {
		return token{text.Span{Start: start, End: start}, 0}
	}
	switch c := x.src[start]; {
	case isWordByte(c) || c == '.':
		x.at += wordLenWith(x.src[start:], '.')
		return token{text.Span{Start: start, End: x.at}, 'a'}
	case bytes.IndexByte([]byte(x.quotes), c) >= 0:
		x.at = quotedEnd(x.src, start)
		return token{text.Span{Start: start, End: x.at}, '"'}
	}
	x.at++
	return token{text.Span{Start: start, End: x.at}, x.src[start]}
}

// skip goes over blanks and comments.
func (x *lexer) skip() {
	for x.at < len(x.src) {
		if c := x.src[x.at]; c <= ' ' {
			x.at++
			continue
		}
		n := x.comments.lenAt(x.src[x.at:])
		if n == 0 {
			return
		}
		x.at += n
	}
}

func wordLenWith(b []byte, also byte) int {
	n := 0
	for n < len(b) && (isWordByte(b[n]) || b[n] == also) {
		n++
	}
	return n
}

// quotedEnd returns the end of the string that begins at start, at the latest
// the end of its line.
func quotedEnd(src []byte, start text.Offset) text.Offset {
	for i := start + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == src[start]:
			return i + 1
		case isLineEnd(c):
			return i
		case c == '\\':
			i++
		}
	}
	return len(src)
}

// closing goes behind the bracket that closes the one just read.
func (x *lexer) closing() {
	for depth := 1; depth > 0; {
		switch x.next().kind {
		case 0:
			return
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		}
	}
}
