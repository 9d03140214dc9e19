package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// isMacroName tells that a word is written as macros are: EXPORT, Q_OBJECT.
func isMacroName(word []byte) bool {
	letters := 0
	for _, c := range word {
		switch {
		case 'A' <= c && c <= 'Z':
			letters++
		case c != '_' && (c < '0' || c > '9'):
			return false
		}
	}
	return letters >= 2 && len(word) >= 3
}

// decide looks at the macro at i..end, before which are a byte and two words,
// and returns the end of what it has decided.
func (s *masker) decide(i, end int, before byte, words [2]text.Span) int {
	if s.family == familyCPP {
		if past := s.newInCPP(s.src[i:end], i, before); past > 0 {
			return past // Q_SLOTS
		}
	}
	blanks := len(s.out)
	var past int
	if s.follows(words, i) {
		past = s.suffix(i, end)
	} else if past = s.convention(words[1], i, end, before); past == 0 {
		past = s.macro(i, end, before)
	}
	if len(s.out) == blanks || s.out[blanks].Start > i || s.out[blanks].with != "" {
		s.note(s.src[end-1]) // it is still there
	}
	return past
}

// convention blanks a macro between a type, of which last is the last word,
// and a name, which tells how a function is called: "int CALL f(void)",
// "int (CALL *f)(void)". Such a macro can hold the asterisk.
func (s *masker) convention(last text.Span, i, end int, before byte) int {
	next := s.next(end)
	name := next
	for s.at(name) == '*' {
		name = s.next(name + 1)
	}
	past := s.next(name + len(s.wordAt(name)))
	switch {
	case past == name:
	case before == '(' && s.at(past) == ')' && s.at(s.next(past+1)) == '(':
		with := ""
		if name == next {
			with = "*"
		}
		s.show(i, end, with)
		return end
	case name == next && s.at(past) == '(' && s.types.has(s.wordAt(name)): // a constructor
	case name == next && s.at(past) == '(' && (before == '*' || before == '&' || s.isType(last, i)):
		s.mask(i, end)
		return end
	}
	return 0
}

// isType tells that a word stands right before i and may be a type.
func (s *masker) isType(word text.Span, i int) bool {
	if word.End == 0 || len(bytes.TrimSpace(s.src[word.End:i])) > 0 || s.value {
		return false
	}
	name := s.src[word.Start:word.End]
	return !isSpecifier(name) && !isMacroName(name)
}

// macro decides about the macro at i..end, before which stands the byte
// before, and returns the end of what it has decided.
func (s *masker) macro(i, end int, before byte) int {
	past := s.arguments(end)
	hasArguments := past > end
	next := s.next(past)
	switch c := s.at(next); {
	case s.value || before == '.' || before == ':' && i > 1 && s.src[i-1] == ':':
		return end
	case before == ')' && (c == '{' || c == ';' || c == ':' && s.at(next+1) != ':' || c == '=' || isMacroName(s.wordAt(next))):
		// "void f() NOEXCEPT {"
		s.mask(i, past)
		return past
	case isWordByte(c) && (c < '0' || c > '9'):
		return s.prefix(i, end, past, next)
	case hasArguments && isBoundary(before) && (c == ';' || c == '}' || c == '#' || c == '~' || c == 0),
		!hasArguments && isBoundary(before) && !s.enum && (c == '}' || c == '#' || c == 0):
		s.mask(i, past)
		return past
	}
	return end
}

// isBoundary tells that a statement may begin after a byte.
func isBoundary(c byte) bool {
	return c == 0 || c == ';' || c == '{' || c == '}' || c == ':' || c == ')'
}

// follows tells that two words that stand right before i are a type and a name:
// what comes now is neither.
func (s *masker) follows(words [2]text.Span, i int) bool {
	typ, name := words[0], words[1]
	if typ.End == 0 || len(bytes.TrimSpace(s.src[name.End:i])) > 0 || len(bytes.Trim(s.src[typ.End:name.Start], " \t\r\n*&")) > 0 {
		return false
	}
	before := s.src[typ.Start:typ.End]
	return !startsDeclaration(s.src[name.Start:name.End]) && !isMacroName(before) && !isSpecifier(before)
}

// suffix blanks the macro at i..end behind a name: "int x ALIGNED(4);".
func (s *masker) suffix(i, end int) int {
	past := s.arguments(end)
	if c := s.at(s.next(past)); c == ';' || c == '=' || c == ',' || c == ')' || c == '[' {
		s.mask(i, past)
		return past
	}
	return end
}

// prefix decides about a macro that a word follows, at next. It is no type if
// what follows has one.
func (s *masker) prefix(i, end, past, next int) int {
	word, name := s.wordAt(next), next
	if string(word) == "const" || string(word) == "volatile" {
		name = s.next(next + len(word))
		word = s.wordAt(name)
	}
	after := s.next(name + len(word))
	switch c := s.at(after); {
	case len(word) == 0:
	case past > end && !startsDeclaration(word) && (c == '{' || isMacroName(s.wordAt(after)) && isHeadEnd(s.at(s.next(after+len(s.wordAt(after)))))):
		// ALIGNED_STRUCT(4) name {
		s.show(i, past, "struct")
		return s.tag(past)
	case s.declares(word, after) || s.types.has(word) && c == '(' && name == next:
		sameLine := bytes.IndexByte(s.src[past:next], '\n') < 0
		s.out = append(s.out, maskedSpan{Span: text.Span{Start: i, End: past}, lead: sameLine})
		return past
	case past > end && (c == '}' || isMacroName(word) && c == '(' && bytes.IndexByte(s.src[past:next], '\n') >= 0):
		s.mask(i, past)
		return past
	case past > end: // LOCAL(int) f(…)
		s.mask(end, past)
		return past
	}
	return end
}

// declares tells that a word, with what follows after it, begins a declaration
// that has a type: it is no name itself.
func (s *masker) declares(word []byte, after int) bool {
	c := s.at(after)
	switch {
	case string(word) == "operator":
		return isWordByte(c)
	case startsDeclaration(word), c == '*', c == '&', c == '<', c == ':' && s.at(after+1) == ':':
		return true
	case isMacroName(word) && c == '(':
		return isWordByte(s.at(s.next(s.arguments(after))))
	}
	if third := s.wordAt(after); isMacroName(third) { // "EXPORT type CALL f()"
		c = s.at(s.next(after + len(third)))
	}
	return isWordByte(c)
}

// isSpecifier tells that a type follows a word, or a name that is one.
func isSpecifier(word []byte) bool {
	switch string(word) {
	case "unsigned", "signed", "void", "int", "char", "short", "long", "float", "double", "bool":
		return false
	case "const", "volatile", "new", "delete", "operator", "sizeof", "co_return", "co_await":
		return true
	}
	return startsDeclaration(word)
}

// startsDeclaration tells that a word begins a declaration or statement, and
// is no name.
func startsDeclaration(word []byte) bool {
	switch string(word) {
	case "static", "extern", "inline", "virtual", "explicit", "constexpr", "consteval", "constinit", "mutable", "register", "thread_local",
		"unsigned", "signed", "void", "int", "char", "short", "long", "float", "double", "bool", "auto",
		"struct", "class", "enum", "union", "typedef", "template", "typename", "using", "namespace", "friend", "public", "private", "protected",
		"return", "if", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "else", "try", "throw", "static_assert",
		"_Static_assert", "__attribute__", "__declspec", "__extension__":
		return true
	}
	return false
}
