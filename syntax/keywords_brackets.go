package syntax

import "strings"

// bracketOpens goes past an opening bracket.
func (s *scanner) bracketOpens(c byte) {
	switch t := s.top(); {
	case t != nil && s.opensBody(t, c):
		t.bodied, t.inside, t.bodyIndent = true, -1, s.indent
		if t.def >= 0 && c == '{' {
			s.defs[t.def].Body = s.at
		}
	case c == '{':
		s.headOpens()
	case c == '(':
		s.headNames()
	}
	s.depth++
	s.at++
	if c == '{' {
		s.blockOpens()
		s.beginInline()
	}
}

// opensBody tells that a bracket holds the body of t.
func (s *scanner) opensBody(t *opened, c byte) bool {
	if t.bodied || s.depth != t.base {
		return false
	}
	if s.style == byParens || t.pattern.how&call != 0 {
		return true
	}
	return c == '{' && s.style == byBraces && t.pattern.how&(ends|alone) == 0
}

// bracketCloses goes past a closing bracket.
func (s *scanner) bracketCloses(c byte) {
	if s.depth > 0 {
		s.depth--
	} else {
		s.unpaired = true
	}
	for t := s.top(); t != nil && s.depth < t.base; t = s.top() {
		s.markCode()
		s.pop(s.code)
	}
	if t := s.top(); t != nil && t.bodied && s.depth == t.base && (c == '}' || t.pattern.how&call != 0 || s.style == byParens) {
		s.bodyCloses(t)
	}
	s.at++
	if c == '}' {
		s.blockCloses()
		s.beginInline()
	} else if c == ')' && s.depth == s.statement.depth {
		s.statement.after = s.at
	}
}

// bodyCloses ends t with the bracket that closes its body, unless what follows
// shows that it was something else, or what is before shows that brackets are
// missing.
func (s *scanner) bodyCloses(t *opened) {
	if !s.trusts && s.at == s.first && s.indent > max(t.indent, t.bodyIndent) && t.tidy && !t.isValue() && s.style == byBraces {
		s.depth = t.base + 1
		return
	}
	next := s.nextByte(s.at + 1)
	switch {
	case s.style == byParens || t.pattern.how&call != 0:
	case t.isValue() && strings.IndexByte(";,)]}\n", next) < 0,
		s.tails && t.kind.IsType(),
		strings.IndexByte("{"+s.afterBody, next) >= 0:
		t.bodied = false
		return
	}
	s.endAt(s.at+1, next == ';')
}

// endAt ends what is open behind a byte, with the semicolon that follows it.
func (s *scanner) endAt(end int, semicolon bool) {
	if semicolon && end < s.end && s.src[end] == ';' && s.base[';'] != plain {
		end++
	}
	s.pop(end)
	s.code, s.mark = end, end
}

// nextByte returns the next byte on the line that is no blank; LF for the
// line's end or a comment.
func (s *scanner) nextByte(at int) byte {
	from := at
	for at < s.end && isBlank(s.src[at]) {
		at++
	}
	s.steps += at - from
	if at == s.end || isLineEnd(s.src[at]) || s.startsComment(at) {
		return '\n'
	}
	return s.src[at]
}

// beginClosing sets the brackets right where a line begins with one that
// stands exactly under a definition: it closes that, if everything between
// was further in.
func (s *scanner) beginClosing(c byte) {
	const nearby = 64
	if c != '}' || s.trusts {
		return
	}
	for i := len(s.open) - 1; i >= max(0, len(s.open)-nearby); i-- {
		t := &s.open[i]
		if t.indent > s.indent {
			continue
		}
		if (t.indent == s.indent || t.bodyIndent == s.indent) && t.bodied && t.tidy {
			for len(s.open)-1 > i {
				s.pop(s.code)
			}
			s.depth = t.base + 1
		}
		return
	}
}

// semicolon ends a statement.
func (s *scanner) semicolon() {
	s.headEnds()
	for t := s.top(); t != nil && !t.bodied && t.pattern.how&(ends|resting) == 0 && s.depth <= t.base; t = s.top() {
		s.endAt(s.at+1, false)
	}
	s.at++
	if s.depth <= s.statement.depth || s.statement.start < 0 {
		s.statementEnds()
	}
	s.beginInline()
}

// beginInline opens the definition that begins in the midst of a line.
func (s *scanner) beginInline() {
	at, _ := indentAt(s.src, s.at, s.end)
	if s.style != byBraces || at == s.end || !s.letter[s.src[at]] {
		return
	}
	m, ok := s.matchWords(at)
	if p := m.pattern; ok && !p.kind.IsDetail() && p.kind != NoKind && p.how == 0 {
		s.define(m, s.indent)
		s.statement.dead = true
	}
}

// closesByWord ends the definition that the word at the line's beginning
// closes.
func (s *scanner) closesByWord() bool {
	if len(s.lexicon.closers) == 0 {
		return false
	}
	word := s.wordAt(s.at)
	if !s.lexicon.closers[word] {
		return false
	}
	if len(s.lexicon.others) > 0 {
		next, _ := indentAt(s.src, s.at+len(word), s.end)
		if s.lexicon.others[s.wordAt(next)] {
			return true
		}
	}
	for t := s.top(); t != nil && (t.indent > s.indent && !s.flat || t.isValue()); t = s.top() {
		s.depth = t.base
		s.pop(s.code)
	}
	if t := s.top(); t != nil && (t.indent == s.indent || s.flat) {
		t.ending = true
	}
	return true
}
