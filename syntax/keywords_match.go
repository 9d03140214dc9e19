package syntax

import (
	"bytes"
	"strings"
)

// match finds the pattern that a line fits from a place on.
func (s *scanner) match(at int) (match, bool) {
	if s.matchLine != nil {
		if m, ok := s.matchLine(s, at); ok {
			return m, true
		}
	}
	head := s.skipAttributes(at)
	if m, ok := s.matchWords(head); ok {
		return m, true
	}
	return s.matchFree(head)
}

// matchWords tries the patterns that begin with a word, with modifiers before
// it.
func (s *scanner) matchWords(head int) (match, bool) {
	for at, n := head, 0; n < maxModifiers; n++ {
		word := s.wordAt(at)
		for _, p := range s.byWord[word] {
			if !s.counts(p) {
				continue
			}
			if m, ok := s.try(p, at); ok {
				m.head = head
				return m, true
			}
		}
		if !s.lexicon.modifiers[word] || word == "" {
			break
		}
		at = s.skipModifier(at + len(word))
	}
	return match{}, false
}

// matchFree tries the patterns that begin otherwise.
func (s *scanner) matchFree(head int) (match, bool) {
	if len(s.free) == 0 {
		return match{}, false
	}
	at := head
	for range maxModifiers {
		word := s.wordAt(at)
		if word == "" || !s.lexicon.modifiers[word] {
			break
		}
		at = s.skipModifier(at + len(word))
	}
	if at == s.end || !s.begins[s.src[at]] {
		return match{}, false
	}
	for _, p := range s.free {
		if !s.counts(p) {
			continue
		}
		if m, ok := s.try(p, at); ok {
			m.head = head
			return m, true
		}
	}
	return match{}, false
}

// wordAt returns the word that stands at a place, in lower case where case
// does not matter. Long ones are none.
func (s *scanner) wordAt(at int) string {
	const longest = 32
	end := at
	if end < s.end && s.src[end] == '@' {
		end++
	}
	for end < s.end && s.letter[s.src[end]] {
		if end++; end-at > longest {
			return ""
		}
	}
	s.steps += end - at
	word := string(s.src[at:end])
	if s.foldsCase {
		return strings.ToLower(word)
	}
	return word
}

// skipModifier skips what may stand between a modifier and what follows:
// "(crate)", "<T>", the C of extern "C".
func (s *scanner) skipModifier(at int) int {
	m := matching{scanner: s, at: at, end: s.within(at + maxPatternBytes)}
	m.blanks()
	if m.at < m.end && (s.src[m.at] == '(' || s.src[m.at] == '<') {
		m.group()
	} else if end := m.quotedEnd(m.at); end > m.at {
		m.at = end
	}
	m.blanks()
	s.steps += m.at - at
	return m.at
}

// skipAttributes goes past the attributes that stand at a place, if something
// follows them on the line.
func (s *scanner) skipAttributes(at int) int {
	if len(s.marks) == 0 {
		return at
	}
	for range maxModifiers {
		end := s.attributeEnd(at)
		if end == at || end == s.end || isLineEnd(s.src[end]) || s.startsComment(end) {
			return at
		}
		at = end
	}
	return at
}

// attributeEnd returns the end of the attribute that begins at a place, and of
// the blanks behind it; where its brackets stay open on the line, the line's
// end.
func (s *scanner) attributeEnd(at int) int {
	mark := s.attributeMark(at)
	if mark == "" {
		return at
	}
	m := matching{scanner: s, at: at + len(mark), end: s.within(at + maxPatternBytes)}
	if n := strings.IndexByte(mark, '['); n >= 0 {
		m.at = at + n
	}
	for m.at < m.end && (s.letter[s.src[m.at]] || s.src[m.at] == '.' || s.src[m.at] == ':') {
		m.at++
	}
	if mark != "@" {
		m.blanks()
	}
	if m.at < m.end && strings.IndexByte("([<", s.src[m.at]) >= 0 && !m.group() {
		m.at = restOfLine(s.src, m.at, m.end)
	}
	m.blanks()
	s.steps += m.at - at
	return m.at
}

// attributeMark returns what an attribute begins with that stands at a place;
// "" when none does.
func (s *scanner) attributeMark(at int) string {
	for _, mark := range s.marks {
		if !bytes.HasPrefix(s.src[at:s.end], []byte(mark)) {
			continue
		}
		if after := at + len(mark); isWordByte(mark[len(mark)-1]) && after < s.end && s.letter[s.src[after]] {
			continue
		}
		if s.byWord[s.wordAt(at)] != nil { // Java's @interface
			continue
		}
		return mark
	}
	return ""
}

// beginAttribute takes note of a line that holds attributes of what follows.
func (s *scanner) beginAttribute() bool {
	if !s.leadsLine() {
		at := s.at
		for end := s.attributeEnd(at); end > at; end = s.attributeEnd(at) {
			at = end
		}
		if at == s.at || at < s.end && !isLineEnd(s.src[at]) && !s.startsComment(at) {
			return false
		}
	}
	if s.attributed < 0 {
		s.attributed, s.attributedDepth, s.attributedCode = s.first, s.depth, s.code
	}
	return true
}

func (s *scanner) leadsLine() bool {
	return len(s.lexicon.leads) > 0 && s.lexicon.leads[s.wordAt(s.at)]
}
