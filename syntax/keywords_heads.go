package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// heads is how a language defines without a word that says so: by what stands
// before a bracket.
type heads uint8

const (
	noHeads       heads = iota
	typedHeads          // type name(parameters) {
	plainHeads          // name(parameters) {
	selectorHeads       // whatever {
)

// headNames takes note of the name before an opening parenthesis.
func (s *scanner) headNames() {
	st := &s.statement
	if st.start < 0 || st.dead || s.depth != st.depth || s.lexicon.heads == selectorHeads {
		return
	}
	name := s.nameBefore(s.at)
	word := string(s.src[name.Start:name.End])
	switch {
	case name.Len() == 0 || '0' <= s.src[name.Start] && s.src[name.Start] <= '9' || !st.named && !s.followsType(name.Start):
		return
	case isAside(word) || name.Start > 0 && s.src[name.Start-1] == '@':
		return
	case isControl(word):
		st.dead = !st.named
	case isType(word) || s.isOddGroup(word):
	case !st.named && isControl(s.wordAt(st.start)):
		st.dead = true
	case !st.named || s.renames(name) || string(s.src[st.name.Start:st.name.End]) == "operator":
		st.name, st.named = name, true
	}
}

// assigns goes past "=", which shows that what has begun is a value.
func (s *scanner) assigns() {
	st := &s.statement
	next := byte(0)
	if s.at+1 < s.end {
		next = s.src[s.at+1]
	}
	s.at++
	if s.depth != st.depth || st.start < 0 || st.dead {
		return
	}
	before := s.src[max(0, s.at-2)]
	switch {
	case s.tails && !st.named && s.inArguments():
	case next == '=' || strings.IndexByte("=!<>", before) >= 0 && s.at >= 2 || s.inOperator():
	case next == '>':
		s.at++
		if s.arrows && st.named && s.isFunctionHead() {
			s.defineHead()
		}
		st.dead = true
	case !st.named:
		st.dead = true
	}
}

// headOpens opens the function whose body the bracket here begins.
func (s *scanner) headOpens() {
	st := &s.statement
	if st.start < 0 || st.dead || s.depth != st.depth {
		return
	}
	if s.lexicon.heads == selectorHeads {
		s.defineSelector()
		return
	}
	if !st.named || !s.isFunctionHead() || s.isInitializer() {
		return
	}
	if s.defineHead() {
		s.opensHere()
	}
}

// opensHere takes the bracket here for that of the body of what was opened.
func (s *scanner) opensHere() {
	t := s.top()
	t.bodied, t.bodyIndent = true, s.indent
	if t.def >= 0 {
		s.defs[t.def].Body = s.at
	}
}

// headEnds defines a function that is declared only: it has no body.
func (s *scanner) headEnds() {
	st, t := &s.statement, s.top()
	if st.start < 0 || st.dead || !st.named || s.depth != st.depth || s.lexicon.heads == selectorHeads {
		return
	}
	member := t != nil && t.kind.IsType() && t.pattern.how&ends == 0
	if s.tails && (t == nil && st.indent == 0 || t != nil && t.kind == Namespace) {
		member = s.skipStatementAttributes() < st.name.Start
	}
	if (member || t == nil && s.wordAt(st.start) == "external") && s.isFunctionHead() {
		s.defineHead()
	}
}

// isFunctionHead tells that the statement reads like a function's head.
func (s *scanner) isFunctionHead() bool {
	st, t := &s.statement, s.top()
	head := s.skipStatementAttributes()
	typed := head < st.name.Start
	name := string(s.src[st.name.Start:st.name.End])
	if s.inCode() && (st.indent > t.indent || s.trusts || s.lexicon.heads == plainHeads) {
		return typed && s.localHeads && st.after > 0
	}
	if typed || strings.Contains(name, "::") || strings.HasPrefix(name, "operator") {
		return true
	}
	if s.lexicon.heads == plainHeads {
		return true
	}
	if t != nil && t.def >= 0 && t.kind.IsType() {
		own := s.defs[t.def].Name
		return name == own || name == "~"+own || strings.HasPrefix(name, own+".")
	}
	return t == nil && st.indent == 0 && s.tails
}

// defineHead opens the function that the statement is.
func (s *scanner) defineHead() bool {
	st := &s.statement
	if start := s.skipLabel(st.start); start > st.start {
		st.start, st.code = start, st.start
	}
	if s.attributed < 0 || s.attributed > st.start {
		s.attributed, s.attributedCode = st.start, st.code
	}
	head := s.skipStatementAttributes()
	kind := s.headKind
	if kind == Method && s.localHeads && st.indent == 0 {
		kind = Function
	}
	if st.indent < midLine {
		s.popFor(st.indent, kind)
	}
	st.dead = true
	return s.define(match{pattern: namePatterns[kind], head: head, name: st.name}, min(st.indent, s.indentOfStatement()))
}

func (s *scanner) indentOfStatement() int {
	if s.statement.indent < midLine {
		return s.statement.indent
	}
	return s.indent
}

// defineSelector opens a style rule.
func (s *scanner) defineSelector() {
	st := &s.statement
	name := text.Span{Start: st.start, End: st.start + len(bytes.TrimRight(s.src[st.start:s.at], " \t\r\n\f\v"))}
	if name.Len() == 0 {
		return
	}
	kind := Class
	if s.src[st.start] == '@' {
		if bytes.HasPrefix(s.src[st.start:], []byte("@include")) {
			return
		}
		kind = Module
	}
	if s.define(match{pattern: namePatterns[kind], head: st.start, name: name}, s.indentOfStatement()) {
		s.opensHere()
	}
}
