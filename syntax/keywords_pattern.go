package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// pattern is a [line] made ready to be matched.
type pattern struct {
	line
	steps []step
}

type step struct {
	op   stepOp
	text string
}

type stepOp uint8

const (
	stepWord    stepOp = iota // this word
	stepMark                  // these bytes
	stepMaybe                 // this word, or not
	stepName                  // NAME: a name, in backquotes too
	stepPath                  // PATH: a name with separators
	stepSign                  // SIGN: a name, or the signs of an operator
	stepText                  // TEXT: what stands to the line's end or a body
	stepQuote                 // QUOTE: a string
	stepTyped                 // TYPED: the name behind a type, before = or ;
	stepOwner                 // OWNER: parentheses around a name, maybe its type
	stepGroup                 // GROUP: what is in brackets, if anything
	stepLate                  // LATE: the name stands behind the body
	stepHere                  // ^: the name begins here
	stepSkip                  // ..: whatever, up to the next step's mark
	stepNext                  // ~abc: one of these bytes comes next; $ for the line's end
	stepNot                   // !abc: none of them
	stepSelf                  // =word: this word, which is the name
	stepCapital               // CAPITAL: a name with a capital first
	stepBlock                 // BLOCK: a name and labels, as HCL has them
	stepCalled                // CALLED: the name before parentheses, or before the line's end
	stepMacro                 // MACRO: a word in capitals
	stepAny                   // WORD: a name that is not the definition's
)

// compilePattern reads a pattern: steps divided by blanks. Words in capitals
// and signs are the steps above; anything else stands for itself, "?word" for
// a word that may be missing. Between steps there may be blanks.
func compilePattern(spec string, l line) *pattern {
	named := map[string]stepOp{
		"NAME": stepName, "PATH": stepPath, "SIGN": stepSign, "TEXT": stepText, "QUOTE": stepQuote, "TYPED": stepTyped,
		"OWNER": stepOwner, "GROUP": stepGroup, "LATE": stepLate, "^": stepHere, "..": stepSkip,
		"CAPITAL": stepCapital, "BLOCK": stepBlock, "WORD": stepAny, "CALLED": stepCalled, "MACRO": stepMacro,
	}
	p := &pattern{line: l}
	for field := range strings.FieldsSeq(spec) {
		op, isNamed := named[field]
		switch {
		case isNamed:
			p.steps = append(p.steps, step{op, ""})
		case len(field) > 1 && field[0] == '~':
			p.steps = append(p.steps, step{stepNext, field[1:]})
		case len(field) > 1 && field[0] == '!':
			p.steps = append(p.steps, step{stepNot, field[1:]})
		case len(field) > 1 && field[0] == '=' && isWordByte(field[1]):
			p.steps = append(p.steps, step{stepSelf, field[1:]})
		case len(field) > 1 && field[0] == '?' && isWordByte(field[1]):
			p.steps = append(p.steps, step{stepMaybe, field[1:]})
		case isWordByte(field[len(field)-1]):
			p.steps = append(p.steps, step{stepWord, field})
		default:
			p.steps = append(p.steps, step{stepMark, field})
		}
	}
	return p
}

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

// within returns the place, or where the text ends, or where a character does.
func (s *scanner) within(at int) int {
	if at >= s.end {
		return s.end
	}
	for at > 0 && !utf8.RuneStart(s.src[at]) {
		at--
	}
	return at
}

func (m *matching) step(steps []step, i int) bool {
	st := steps[i]
	switch st.op {
	case stepWord:
		return m.word(st.text)
	case stepMaybe:
		m.word(st.text)
	case stepMark:
		return m.mark(st.text)
	case stepName:
		return m.setName(m.nameEnd(m.at))
	case stepPath:
		return m.setName(m.pathEnd(m.at))
	case stepSign:
		return m.setName(m.signEnd(m.at))
	case stepQuote:
		return m.setName(m.quotedEnd(m.at))
	case stepText:
		return m.setName(m.textEnd(m.at))
	case stepTyped:
		return m.typed("=;,:")
	case stepCalled:
		return m.typed("(;=")
	case stepOwner:
		return m.ownerGroup()
	case stepGroup:
		for m.group() {
			m.blanks()
		}
	case stepLate:
		m.late = true
	case stepHere:
		m.name.Start, m.begun = m.at, true
	case stepSkip:
		return m.skipTo(steps[i+1].text)
	case stepSelf:
		from := m.at
		if !m.word(st.text) {
			return false
		}
		m.name = text.Span{Start: from, End: m.at}
	case stepCapital:
		return m.at < m.end && isCapital(m.src[m.at]) && m.setName(m.nameEnd(m.at))
	case stepBlock:
		return m.block()
	case stepAny, stepMacro:
		end := m.nameEnd(m.at)
		ok := end > m.at && (st.op == stepAny || isCaps(string(m.src[m.at:end])))
		m.at = end
		return ok
	case stepNext:
		return m.next(st.text)
	case stepNot:
		return !m.next(st.text)
	}
	return true
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
