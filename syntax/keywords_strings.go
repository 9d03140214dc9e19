package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// quote is a way to write strings.
type quote struct {
	open, close string
	escape      byte
	lines       bool // may go over lines
	// mends: a definition at the beginning of a line shows that the string's
	// end is missing.
	mends bool
	// skip finds the end in its own way. It returns at for no string.
	skip func(src []byte, at, end int) int
}

// The ways.
var (
	doubleQuote   = quote{open: `"`, close: `"`, escape: '\\'}
	doubleLines   = quote{open: `"`, close: `"`, escape: '\\', lines: true, mends: true}
	singleQuote   = quote{open: `'`, close: `'`, escape: '\\'}
	singleLines   = quote{open: `'`, close: `'`, escape: '\\', lines: true, mends: true}
	rawSingle     = quote{open: `'`, close: `'`, lines: true}
	rawDouble     = quote{open: `"`, close: `"`}
	backQuote     = quote{open: "`", close: "`", lines: true}
	templateQuote = quote{open: "`", close: "`", escape: '\\', lines: true}
	tripleDouble  = quote{open: `"""`, close: `"""`, escape: '\\', lines: true}
	tripleSingle  = quote{open: `'''`, close: `'''`, escape: '\\', lines: true}
	nixLines      = quote{open: `''`, close: `''`, lines: true}
	bracketLines  = quote{open: "[[", close: "]]", lines: true}
	levelLines    = quote{open: "[=", skip: levelString}
	hereString    = quote{open: `@"`, close: "\n\"@", lines: true}
	hereRaw       = quote{open: `@'`, close: "\n'@", lines: true}
	zigLine       = quote{open: `\\`, skip: restOfLine}
	charQuote     = quote{open: `'`, skip: charLiteral}
	rustRaw       = quote{open: `"`, skip: rustRawString}
	cppRaw        = quote{open: `"`, skip: cppRawString}
	verbatim      = quote{open: `"`, skip: verbatimString}
)

// charLiteral skips 'x', '\n' and '\u{1F600}', and no lifetime or prime.
func charLiteral(src []byte, at, end int) int {
	const longest = 12
	if at > 0 && isWordByte(src[at-1]) || at+2 >= end {
		return at
	}
	if src[at+1] == '\\' {
		n := bytes.IndexByte(src[at+2:min(at+2+longest, end)], '\'')
		if n == 0 { // the quote that is meant
			n = 1 + bytes.IndexByte(src[at+3:min(at+3+longest, end)], '\'')
		}
		return max(at, at+2+n+1)
	}
	_, size := utf8.DecodeRune(src[at+1 : end])
	if close := at + 1 + size; close < end && src[close] == '\'' {
		return close + 1
	}
	return at
}

func restOfLine(src []byte, at, end int) int {
	for at < end && !isLineEnd(src[at]) {
		at++
	}
	return at
}

// rustRawString skips r#"…"#.
func rustRawString(src []byte, at, end int) int {
	hashes := 0
	for at-hashes > 0 && src[at-hashes-1] == '#' && hashes < 32 {
		hashes++
	}
	if at-hashes == 0 || src[at-hashes-1] != 'r' {
		return at
	}
	return skipPast(src, at+1, end, `"`+strings.Repeat("#", hashes))
}

// cppRawString skips R"mark(…)mark".
func cppRawString(src []byte, at, end int) int {
	const longest = 16
	if at == 0 || src[at-1] != 'R' {
		return at
	}
	n := bytes.IndexByte(src[at+1:min(at+2+longest, end)], '(')
	if n < 0 {
		return at
	}
	return skipPast(src, at+2+n, end, ")"+string(src[at+1:at+1+n])+`"`)
}

// verbatimString skips @"…""…".
func verbatimString(src []byte, at, end int) int {
	if at == 0 || src[at-1] != '@' && (src[at-1] != '$' || at == 1 || src[at-2] != '@') {
		return at
	}
	for at++; at < end; at++ {
		if src[at] != '"' {
			continue
		}
		if at+1 == end || src[at+1] != '"' {
			return at + 1
		}
		at++
	}
	return end
}

// levelString skips [==[…]==].
func levelString(src []byte, at, end int) int {
	n := 1
	for at+n < end && src[at+n] == '=' && n < 32 {
		n++
	}
	if at+n >= end || src[at+n] != '[' {
		return at
	}
	return skipPast(src, at+n+1, end, "]"+strings.Repeat("=", n-1)+"]")
}

func skipPast(src []byte, at, end int, closer string) int {
	n := bytes.Index(src[min(at, end):end], []byte(closer))
	if n < 0 {
		return end
	}
	return at + n + len(closer)
}

// skipString goes past the string that begins here, if one does.
func (s *scanner) skipString() bool {
	for i := range s.quoteOf[s.src[s.at]] {
		q := &s.quoteOf[s.src[s.at]][i]
		if !bytes.HasPrefix(s.src[s.at:s.end], []byte(q.open)) {
			continue
		}
		var end int
		if q.skip != nil {
			end = q.skip(s.src, s.at, s.end)
		} else {
			end = s.stringEnd(q)
		}
		if end > s.at {
			s.steps += end - s.at
			s.at = end
			return true
		}
	}
	return false
}

// stringEnd returns where the string ends that begins here: behind its
// closer, or where its closer is missing.
func (s *scanner) stringEnd(q *quote) int {
	for i := s.at + len(q.open); i < s.end; i++ {
		c := s.src[i]
		switch {
		case c == q.escape && q.escape != 0:
			i++
		case c == q.close[0] && bytes.HasPrefix(s.src[i:s.end], []byte(q.close)):
			return i + len(q.close)
		case isLineEnd(c):
			if !q.lines || q.mends && s.definesAt(i) {
				return i
			}
		}
	}
	return s.end
}

// definesAt tells that the line after the line end at i begins with a
// definition that is not deeper in than what is open.
func (s *scanner) definesAt(i int) bool {
	next := afterLineEnd(s.src, i, s.end)
	at, indent := indentAt(s.src, next, s.end)
	limit := 0
	if t := s.top(); t != nil {
		limit = t.indent
	}
	if indent > limit || at == s.end {
		return false
	}
	m, ok := s.matchWords(at)
	if !ok {
		m, ok = s.matchFree(at)
	}
	return ok && (m.pattern.kind.IsFunction() || m.pattern.kind.IsType())
}
