package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Texts that are no code are read line by line: nothing in them is open but
// what lines have said.

// eachLine goes through the lines. The scanner's line, first and indent tell
// where each is; content is what stands on it, without blanks at its ends.
func (s *scanner) eachLine(look func(content []byte)) {
	for s.at < s.end {
		s.line = s.at
		s.first, s.indent = indentAt(s.src, s.at, s.end)
		end := restOfLine(s.src, s.first, s.end)
		next := end
		if end < s.end {
			next = afterLineEnd(s.src, end, s.end)
		}
		s.steps += next - s.at
		s.at = next
		content := bytes.TrimRight(s.src[s.first:end], " \t\f\v")
		look(content)
		if len(content) > 0 && !s.startsComment(s.first) {
			s.code = max(s.code, s.first+len(bytes.TrimRight(content, s.trailing)))
		}
		s.mark = s.at
	}
}

// scanPatterns matches each line with the patterns. What holds other
// definitions goes on to the next that does; the rest is one line.
func scanPatterns(s *scanner) {
	s.eachLine(func(content []byte) {
		if len(content) == 0 || s.startsComment(s.first) {
			return
		}
		at := s.at
		m, ok := s.match(s.first)
		if !ok {
			return
		}
		level := 0
		if m.pattern.kind.IsDetail() {
			level = 1
		}
		for t := s.top(); t != nil && t.indent >= level; t = s.top() {
			s.pop(s.code)
		}
		s.define(m, level)
		s.at = at
		if level == 1 {
			s.pop(s.first + len(content))
		}
	})
}

// enter opens a definition that holds all that follows up to the next one of
// the same level or a lesser one.
func (s *scanner) enter(kind Kind, level int, head text.Offset, name text.Span) {
	for t := s.top(); t != nil && t.indent >= level; t = s.top() {
		s.pop(s.code)
	}
	s.define(match{pattern: namePatterns[kind], head: head, name: name}, level)
}

// enterLine opens a definition that is one line, or begins with it; the name
// stands in content[from:to].
func (s *scanner) enterLine(kind Kind, level, from, to int) {
	s.enter(kind, level, s.first, text.Span{Start: s.first + from, End: s.first + to})
}

// directive goes past a line of C's preprocessor and takes the macro that it
// defines.
func (s *scanner) directive() {
	m := matching{scanner: s, at: s.at + 1, end: s.within(s.at + maxPatternBytes)}
	m.blanks()
	if m.word("define") {
		m.blanks()
		if m.setName(m.nameEnd(m.at)) && !s.inCode() {
			kind := Constant
			if m.at < s.end && s.src[m.at] == '(' {
				kind = Function
			}
			m.pattern, m.head = namePatterns[kind], s.at
			if s.define(m.match, s.indent) {
				defer func() { s.pop(s.code) }()
			}
		}
	}
	for s.at < s.end && !isLineEnd(s.src[s.at]) {
		switch {
		case s.src[s.at] == '\\':
			s.at = min(s.at+2, s.end)
			if s.src[s.at-1] == '\r' && s.at < s.end && s.src[s.at] == '\n' {
				s.at++
			}
		case s.startsComment(s.at):
			s.skipComment()
		default:
			s.at++
		}
	}
	s.steps += s.at - s.line
	s.markCode()
}

// namePatterns are those of definitions that were found in another way, by
// their kind.
var namePatterns = makeNamePatterns()

func makeNamePatterns() (all [TypeParameter + 1]*pattern) {
	for kind := range all {
		all[kind] = compilePattern("NAME", line{kind: Kind(kind)})
	}
	return all
}
