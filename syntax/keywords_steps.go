package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// group skips brackets and what is in them.
func (m *matching) group() bool {
	end := m.groupEnd(m.at)
	if end == m.at {
		return false
	}
	m.at = end
	return true
}

// groupEnd returns the end of the brackets that open at at, if they close on
// the same line; else at.
func (m *matching) groupEnd(at int) int {
	if at >= m.end || strings.IndexByte("([<", m.src[at]) < 0 {
		return at
	}
	depth := 0
	for i := at; i < m.end && !isLineEnd(m.src[i]); i++ {
		switch m.src[i] {
		case '(', '[', '<':
			depth++
		case '>':
			if m.src[i-1] == '-' || m.src[i-1] == '=' { // an arrow
				continue
			}
			depth--
		case ')', ']':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return at
}

// ownerGroup reads the parentheses around a receiver: "(s *Scale[T])".
func (m *matching) ownerGroup() bool {
	end := m.groupEnd(m.at)
	if end == m.at || m.src[m.at] != '(' {
		return false
	}
	inner := m.src[m.at+1 : end-1]
	if n := bytes.IndexByte(inner, '['); n >= 0 {
		inner = inner[:n]
	}
	inner = bytes.TrimRight(inner, " \t")
	from := len(inner)
	for from > 0 && m.letter[inner[from-1]] {
		from--
	}
	m.owner = text.Span{Start: m.at + 1 + from, End: m.at + 1 + len(inner)}
	m.at = end
	return true
}

// typed finds the last name before one of some bytes or the line's end: what
// stands before it is its type.
func (m *matching) typed(ends string) bool {
	name := text.Span{}
	for m.at < m.end {
		c := m.src[m.at]
		end := m.nameEnd(m.at)
		switch {
		case end > m.at:
			name = text.Span{Start: m.at, End: end}
			m.at = end
			continue
		case strings.IndexByte(ends, c) >= 0 || isLineEnd(c):
			m.name = name
			return name.Len() > 0 && !bytes.HasPrefix(m.src[m.at:m.end], []byte("=="))
		case c == '<' || c == '[':
			if !m.group() {
				return false
			}
			continue
		case strings.IndexByte("(){}", c) >= 0:
			return false
		}
		m.at++
	}
	m.name = name
	return m.at == m.scanner.end && name.Len() > 0
}

// skipTo goes on to where a word or mark stands on the line.
func (m *matching) skipTo(mark string) bool {
	for at := m.at; m.at < m.end && !isLineEnd(m.src[m.at]); m.at++ {
		found := m.at
		switch {
		case !isWordByte(mark[0]):
			if m.mark(mark) {
				m.at = found
				return true
			}
		case found > at && m.letter[m.src[found-1]]:
		case m.word(mark):
			m.at = found
			return true
		}
	}
	return false
}

// next tells that one of some bytes comes next; "$" stands for the line's end
// or a comment.
func (m *matching) next(set string) bool {
	if m.at == m.scanner.end || isLineEnd(m.src[m.at]) || m.startsComment(m.at) {
		return strings.IndexByte(set, '$') >= 0
	}
	c := m.src[m.at]
	return c != '$' && strings.IndexByte(set, c) >= 0
}

// block reads the head of a block: a name, and labels in quotes or not, up to
// the brace.
func (m *matching) block() bool {
	from := m.at
	for m.at < m.end {
		end := m.quotedEnd(m.at)
		if end == m.at {
			end = m.nameEnd(m.at)
		}
		if end == m.at {
			break
		}
		m.name = text.Span{Start: from, End: end}
		m.at = end
		m.blanks()
	}
	return m.name.Len() > 0 && m.at < m.end && m.src[m.at] == '{'
}
