package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// class is what a byte means to the scanner of code.
type class uint8

const (
	plain class = iota
	lineEnd
	opening
	closing
	quoting
	commenting
	semicolon
	assigning
	escaping
	heredoc
)

// classify says what each byte may be the beginning of.
func (x *lexicon) classify() {
	for c := range 256 {
		x.letter[c] = isWordByte(byte(c)) || strings.IndexByte(x.letters, byte(c)) >= 0
	}
	x.class['\n'], x.class['\r'] = lineEnd, lineEnd
	if x.style == bySections {
		for _, mark := range x.comments.Line {
			x.class[mark[0]] = commenting
		}
		return
	}
	if x.heredoc != "" {
		x.class[x.heredoc[0]] = heredoc
	}
	brackets := x.brackets
	if brackets == "" {
		brackets = "{}()[]"
	}
	for i := 0; i < len(brackets); i += 2 {
		x.class[brackets[i]], x.class[brackets[i+1]] = opening, closing
	}
	x.class['\\'] = escaping
	if x.style == byBraces {
		x.class[';'] = semicolon
	}
	if x.heads != noHeads {
		x.class['='] = assigning
	}
	x.base = x.class
	for _, q := range x.quotes {
		x.class[q.open[0]] = quoting
		x.quoteOf[q.open[0]] = append(x.quoteOf[q.open[0]], q)
	}
	for _, mark := range x.comments.Line {
		x.class[mark[0]] = commenting
	}
	for _, marks := range x.comments.Block {
		x.class[marks[0][0]] = commenting
	}
}

// skipComment goes past the comment that begins here, if one does.
func (s *scanner) skipComment() bool {
	closer, begins := s.commentAt(s.at)
	if !begins {
		return false
	}
	s.markCode()
	var end int
	if closer == "" {
		end = restOfLine(s.src, s.at, s.end)
	} else {
		end = skipPast(s.src, s.at+2, s.end, closer)
	}
	s.steps += end - s.at
	s.at, s.mark = end, end
	return true
}

// commentAt tells that a comment begins at a place, and what closes it; "" is
// the line's end.
func (s *scanner) commentAt(at int) (closer string, begins bool) {
	rest := s.src[at:s.end]
	for _, marks := range s.comments.Block {
		if bytes.HasPrefix(rest, []byte(marks[0])) && (at == s.line || !bytes.HasPrefix(rest, []byte("{-#"))) && s.mayComment(at) {
			return marks[1], true
		}
	}
	for _, mark := range s.comments.Line {
		if bytes.HasPrefix(rest, []byte(mark)) && s.mayComment(at) {
			return "", true
		}
	}
	return "", false
}

// mayComment tells that a mark may begin a comment at this place: # and words
// stand in many another place, too.
func (s *scanner) mayComment(at int) bool {
	c := s.src[at]
	if c == '#' && s.attributes != "" && bytes.HasPrefix(s.src[at:s.end], []byte("#[")) {
		return false
	}
	if c == '=' {
		return at == s.line
	}
	if c != '#' && c != ';' && c != '-' && !isWordByte(c) && c != '"' && c != '!' && c != '\'' {
		return true
	}
	if at == s.line || isWordByte(c) || c == '"' {
		return at == s.first
	}
	before := s.src[at-1]
	return c == ';' || before == ' ' || before == '\t' || strings.IndexByte(";,()[]{}\n\r", before) >= 0
}

// afterLineEnd returns where the line begins that follows the line end at i.
func afterLineEnd(src []byte, i, end int) int {
	if i+1 < end && src[i] == '\r' && src[i+1] == '\n' {
		return i + 2
	}
	return min(i+1, end)
}

// indentAt returns where the first byte of a line stands that is no blank, and
// how many columns it is in.
func indentAt(src []byte, at, end int) (first text.Offset, indent int) {
	const tab = 8 // where blanks and tabs are mixed, they mean this
	for ; at < end; at++ {
		switch src[at] {
		case ' ':
			indent++
		case '\t':
			indent += tab - indent%tab
		case '\f', '\v':
		default:
			return at, indent
		}
	}
	return at, indent
}
