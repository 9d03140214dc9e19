package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// match is a pattern found at a place.
type match struct {
	pattern *pattern
	head    text.Offset // where the definition begins, past attributes
	name    text.Span
	owner   text.Span
	late    bool
	begun   bool // the name's start is set
}

// matching is the state of matching one pattern.
type matching struct {
	*scanner
	match
	at, end int
}

// try matches a pattern at a place.
func (s *scanner) try(p *pattern, at int) (match, bool) {
	m := matching{scanner: s, at: at, end: s.within(at + maxPatternBytes)}
	m.pattern = p
	for i := range p.steps {
		m.blanks()
		from := m.at
		ok := m.step(p.steps, i)
		s.steps += 1 + m.at - from
		if !ok {
			return match{}, false
		}
	}
	return m.match, m.name.Len() > 0 || m.late || p.how&hidden != 0
}

// within returns the next place from at on where a character ends, or where the
// text does.
func (s *scanner) within(at int) int {
	for n := 0; n < utf8.UTFMax-1 && at < s.end && !utf8.RuneStart(s.src[at]); n++ {
		at++
	}
	return min(at, s.end)
}

func (m *matching) blanks() {
	for m.at < m.end && isBlank(m.src[m.at]) {
		m.at++
	}
}

func (m *matching) word(w string) bool {
	if len(w) > m.end-m.at || !m.same(m.src[m.at:m.at+len(w)], w) {
		return false
	}
	if end := m.at + len(w); end < m.scanner.end && m.letter[m.src[end]] {
		return false
	}
	m.at += len(w)
	return true
}

func (m *matching) same(b []byte, w string) bool {
	if m.foldsCase {
		return strings.EqualFold(string(b), w)
	}
	return string(b) == w
}

func (m *matching) mark(mark string) bool {
	if !bytes.HasPrefix(m.src[m.at:m.end], []byte(mark)) {
		return false
	}
	m.at += len(mark)
	return true
}

// setName takes what ends at end for the name, unless "^" has begun it before.
func (m *matching) setName(end int) bool {
	if end <= m.at {
		return false
	}
	if !m.begun {
		m.name.Start = m.at
	}
	m.name.End, m.at = end, end
	return true
}

func (m *matching) nameEnd(at int) int {
	if at < m.end && m.src[at] == '`' {
		if n := bytes.IndexByte(m.src[at+1:m.end], '`'); n > 0 && !bytes.ContainsAny(m.src[at:at+n], "\r\n") {
			return at + n + 2
		}
	}
	if at < m.end && '0' <= m.src[at] && m.src[at] <= '9' {
		return at
	}
	for at < m.end && m.letter[m.src[at]] {
		at++
	}
	return at
}

// pathEnd returns the end of names that are joined by separators.
func (m *matching) pathEnd(at int) int {
	end := m.nameEnd(at)
	if end > at && end < m.end && (m.src[end] == '<' || m.src[end] == '?') && m.receivers {
		from := m.groupEnd(end)
		if from < m.end && m.src[from] == '?' {
			from++
		}
		if from < m.end && m.src[from] == '.' {
			end = from
		}
	}
	for end > at && end < m.end && strings.IndexByte(m.separators, m.src[end]) >= 0 {
		from := end
		for from < m.end && strings.IndexByte(m.separators, m.src[from]) >= 0 {
			from++
		}
		next := m.signEnd(from)
		if next == from {
			break
		}
		end = next
	}
	return end
}

// signEnd returns the end of a name or of an operator's signs.
func (m *matching) signEnd(at int) int {
	if end := m.nameEnd(at); end > at {
		if m.moduleMethods && end+1 < m.end && m.src[end] == '=' && (m.src[end+1] == '(' || isWordByte(m.src[end+1])) {
			end++ // what sets an attribute
		}
		return end
	}
	end := at
	for end < m.end && strings.IndexByte("+-*/%<>=!~^&|?@[].:", m.src[end]) >= 0 {
		end++
	}
	if bytes.HasPrefix(m.src[at:m.end], []byte("()")) {
		end = at + 2
	}
	return end
}

func (m *matching) quotedEnd(at int) int {
	if at >= m.end || strings.IndexByte("\"'`", m.src[at]) < 0 {
		return at
	}
	for i := at + 1; i < m.end && !isLineEnd(m.src[i]); i++ {
		switch m.src[i] {
		case '\\':
			i++
		case m.src[at]:
			return i + 1
		}
	}
	return at
}

// textEnd returns the end of what stands before a body, a comment or the
// line's end.
func (m *matching) textEnd(at int) int {
	end, depth := at, 0
	for end < m.end && !isLineEnd(m.src[end]) && m.src[end] != '{' && (m.src[end] != ';' || depth > 0) {
		switch m.base[m.src[end]] {
		case opening:
			depth++
		case closing:
			depth--
		}
		if m.startsComment(end) {
			break
		}
		end++
	}
	b := m.src[at:end]
	if n := bytes.Index(b, []byte(" where")); n > 0 && (n+6 == len(b) || !m.letter[b[n+6]]) {
		b = b[:n]
	}
	return at + len(bytes.TrimRight(b, " \t\f\v:="))
}
