package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// isOddGroup tells that parentheses hold no parameters: those of a macro, or a
// name that a pointer points to.
func (s *scanner) isOddGroup(word string) bool {
	if s.at+1 == s.end {
		return false
	}
	next := s.src[s.at+1]
	return s.tails && (next == '*' || next == '&' || next == '"' && isCaps(word))
}

// followsType tells that a name stands at a statement's beginning or behind
// what may be its type.
func (s *scanner) followsType(at int) bool {
	floor := s.statement.start
	for at > max(floor, s.mark) && (isBlank(s.src[at-1]) || isLineEnd(s.src[at-1])) {
		at--
	}
	if at <= s.mark { // but for comments
		at = s.code
	}
	if at <= floor {
		return true
	}
	c := s.src[at-1]
	return s.letter[c] || strings.IndexByte(">])*&?:~^}@\"", c) >= 0 || s.base[c] == closing
}

// renames tells that what was taken for the function's parentheses were a
// macro's: another name follows.
func (s *scanner) renames(name text.Span) bool {
	st := &s.statement
	from := st.after
	if from <= st.name.End || from >= name.Start {
		return false
	}
	first := string(s.src[st.name.Start:st.name.End])
	if st.start < st.name.Start && (!isCaps(first) || isCaps(string(s.src[name.Start:name.End]))) {
		return false
	}
	for _, c := range s.src[from:name.Start] {
		if !isWordByte(c) && !isBlank(c) && !isLineEnd(c) && c != '*' && c != '&' {
			return false
		}
	}
	return true
}

// nameBefore returns the name that ends at a place, blanks aside, with what
// qualifies it: "ns::Type<T>::~Type", "operator+".
func (s *scanner) nameBefore(at int) text.Span {
	floor := s.within(max(s.statement.start, at-maxPatternBytes/2))
	end := at
	for end > floor && (isBlank(s.src[end-1]) || isLineEnd(s.src[end-1])) {
		end--
	}
	if end > floor && s.src[end-1] == '?' {
		end-- // an optional method
	}
	if name := s.unusualName(floor, end); name.Len() > 0 {
		return name
	}
	end = s.beforeArguments(floor, end)
	if name := s.operatorBefore(floor, end); name.Len() > 0 {
		return name
	}
	start := end
	for start > floor {
		c := s.src[start-1]
		switch {
		case s.letter[c] || c == '~' || c != ':' && strings.IndexByte(s.separators, c) >= 0:
			start--
		case c == ':' && start-2 >= floor && s.src[start-2] == ':':
			start -= 2
		case c == '>' && start < end && s.src[start] == ':':
			open := bytes.LastIndexByte(s.src[floor:start], '<')
			if open < 0 {
				return text.Span{}
			}
			start = floor + open
		default:
			return s.withOperator(floor, start, end)
		}
	}
	for start < end && s.src[start] == '.' {
		start++
	}
	return s.withOperator(floor, start, end)
}

// operatorBefore returns the operator that ends at a place: "operator+=".
func (s *scanner) operatorBefore(floor, end int) text.Span {
	start := end
	for start > floor && strings.IndexByte("+-*/%<>=!~^&|[],()", s.src[start-1]) >= 0 && end-start < 4 {
		start--
	}
	word := bytes.TrimRight(s.src[floor:start], " \t")
	if !bytes.HasSuffix(word, []byte("operator")) {
		return text.Span{}
	}
	return text.Span{Start: floor + len(word) - len("operator"), End: end}
}

// withOperator adds the word operator before a name: "operator bool".
func (s *scanner) withOperator(floor, start, end int) text.Span {
	before := bytes.TrimRight(s.src[floor:start], " \t\"")
	if start > floor && end > start && bytes.HasSuffix(before, []byte("operator")) {
		start = floor + len(before) - len("operator")
	}
	return text.Span{Start: start, End: end}
}

// unusualName returns the name in quotes or brackets that ends at a place:
// "quoted name", [Symbol.iterator].
func (s *scanner) unusualName(floor, end int) text.Span {
	if s.lexicon.heads != plainHeads || end-floor < 2 || strings.IndexByte("]\"'`", s.src[end-1]) < 0 {
		return text.Span{}
	}
	opener := s.src[end-1]
	if opener == ']' {
		opener = '['
	}
	at := bytes.LastIndexByte(s.src[floor:end-1], opener)
	if at < 0 || at > 0 && !isBlank(s.src[floor+at-1]) && s.src[floor+at-1] != '*' {
		return text.Span{}
	}
	return text.Span{Start: floor + at, End: end}
}

// beforeArguments returns where a name ends before its arguments: "pick<T>".
func (s *scanner) beforeArguments(floor, end int) int {
	if end == floor || s.src[end-1] != '>' || end-floor > 1 && strings.IndexByte("-=>", s.src[end-2]) >= 0 && s.src[end-2] != '>' {
		return end
	}
	depth := 0
	for at := end - 1; at >= floor; at-- {
		switch s.src[at] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 && at > floor && s.letter[s.src[at-1]] {
				return at
			}
		}
	}
	return end
}

// isControl tells the words before parentheses that are no function's name,
// and the words that begin a statement of code.
func isControl(word string) bool {
	switch word {
	case "if", "for", "while", "switch", "catch", "return", "else", "do", "foreach", "using", "lock", "fixed", "synchronized", "with",
		"until", "unless", "when", "match", "function", "typeof", "super", "this", "assert", "new", "throw", "case", "goto", "await",
		"delete", "typedef", "try", "finally", "in", "is", "as", "and", "or", "not", "break", "continue", "sizeof", "co_return",
		"co_await", "co_yield", "echo", "print", "include", "import", "package":
		return true
	}
	return false
}

// isType tells the words before parentheses that are a type: what is in the
// parentheses is the name.
func isType(word string) bool {
	switch word {
	case "void", "int", "char", "bool", "float", "double", "long", "short", "unsigned", "signed", "auto":
		return true
	}
	return false
}

// isAside tells the words before parentheses that belong to a declaration and
// are not its name.
func isAside(word string) bool {
	switch word {
	case "__attribute__", "__attribute", "__declspec", "__asm__", "asm", "alignas", "_Alignas", "decltype", "noexcept", "explicit", "requires",
		"throw", "extern", "public", "private", "internal", "override", "virtual", "external", "returns":
		return true
	}
	return false
}

// inArguments tells that "<" is open since the statement began.
func (s *scanner) inArguments() bool {
	head := s.src[max(s.statement.start, s.at-maxPatternBytes/2):s.at]
	return bytes.Count(head, []byte("<")) > bytes.Count(head, []byte(">"))
}

// inOperator tells that an operator's name is being passed: "operator+=".
func (s *scanner) inOperator() bool {
	before := bytes.TrimRight(s.src[max(s.statement.start, s.at-32):s.at], "+-*/%&|^<>=! ")
	return bytes.HasSuffix(before, []byte("operator"))
}

// isInitializer tells that a bracket initializes a member, before the body of
// a C++ constructor.
func (s *scanner) isInitializer() bool {
	from := max(s.statement.after, s.at-maxPatternBytes)
	between := bytes.TrimSpace(s.src[min(from, s.at):s.at])
	at := bytes.IndexByte(between, ':')
	if at < 0 || at+1 < len(between) && between[at+1] == ':' {
		return false
	}
	last := between[len(between)-1]
	return s.tails && (s.letter[last] || last == '>')
}
