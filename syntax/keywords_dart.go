package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// dartLine finds getters, which have no parentheses: "int get size => 1".
func dartLine(s *scanner, at int) (match, bool) {
	head := s.skipAttributes(at)
	m := matching{scanner: s, at: head, end: s.within(head + maxPatternBytes)}
	if s.inCode() || !m.skipTo("get") || bytes.ContainsAny(s.src[head:m.at], "(){}=;") || !m.word("get") {
		return match{}, false
	}
	m.blanks()
	name := text.Span{Start: m.at, End: m.nameEnd(m.at)}
	m.at = name.End
	m.blanks()
	s.steps += m.at - at
	if name.Len() == 0 || !m.next("={;sa$") {
		return match{}, false
	}
	return match{pattern: namePatterns[Function], head: head, name: name}, true
}
