package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// haskellLine finds what Haskell defines without a word that says so: names
// with a type, and equations.
func haskellLine(s *scanner, at int) (match, bool) {
	h := equation{scanner: s, at: at, line: s.src[at:s.within(restOfLine(s.src, at, min(s.end, at+maxPatternBytes)))]}
	if s.wordAt(at) == "foreign" && len(s.open) == 0 {
		return h.importName()
	}
	if s.indent == 0 {
		s.popFor(0, NoKind)
	}
	if isHaskellWord(s.wordAt(at)) || s.depth != s.inner() || !h.mayStand() {
		return match{}, false
	}
	name, typed := h.signature()
	if !typed {
		name = h.defined()
	}
	if name.Len() == 0 || s.inCode() && !h.isLocal(name, typed) {
		return match{}, false
	}
	kind := Constant
	if typed && h.isFunctionType() || !typed && h.hasArguments(name) {
		kind = Function
	}
	if s.inCode() && typed && kind == Constant {
		return match{}, false
	}
	return match{pattern: namePatterns[kind], head: at, name: name}, true
}

// isLocal tells that a name within a function is a function: it has a type,
// or goes on with one that has.
func (h *equation) isLocal(name text.Span, typed bool) bool {
	word := string(h.src[name.Start:name.End])
	if typed {
		owner := h.top().owner
		return owner < 0 || h.defs[owner].Name != word
	}
	return h.last >= 0 && h.defs[h.last].Name == word && h.defs[h.last].Parent == h.parent()
}

// importName finds the name that an import of C gives, before its type.
func (h *equation) importName() (match, bool) {
	head := h.src[h.at:h.within(h.at+maxPatternBytes)]
	before, _, found := bytes.Cut(head, []byte("::"))
	if !found {
		return match{}, false
	}
	end := len(bytes.TrimRight(before, " \t\r\n"))
	start := end
	for start > 0 && h.letter[head[start-1]] {
		start--
	}
	return match{pattern: namePatterns[Function], head: h.at, name: text.Span{Start: h.at + start, End: h.at + end}}, end > start
}

// equation is a line that may define a name.
type equation struct {
	*scanner
	at   int
	line []byte
}

// mayStand tells that names can be defined here: not among the constructors of
// a type.
func (h *equation) mayStand() bool {
	t := h.top()
	return t == nil || t.kind == Interface || t.kind == Object || t.code
}

// signature returns the name before "::", the first if there are several.
func (h *equation) signature() (name text.Span, typed bool) {
	end := h.nameLen(h.line)
	rest := bytes.TrimLeft(h.line[end:], " \t")
	if end == 0 {
		return name, false
	}
	for len(rest) > 0 && rest[0] == ',' {
		rest = bytes.TrimLeft(rest[1:], " \t")
		rest = bytes.TrimLeft(rest[h.nameLen(rest):], " \t")
	}
	if len(rest) == 0 {
		next, _ := indentAt(h.src, afterLineEnd(h.src, h.at+len(h.line), h.end), h.end)
		rest = h.src[min(next, h.end):h.within(next+2)]
	}
	return h.span(0, end), bytes.HasPrefix(rest, []byte("::"))
}

// nameLen returns the length of the name that b begins with: a word in lower
// case, or an operator in parentheses.
func (h *equation) nameLen(b []byte) int {
	if len(b) > 2 && b[0] == '(' {
		n := 1
		for n < len(b) && isHaskellSign(b[n]) {
			n++
		}
		if n > 1 && n < len(b) && b[n] == ')' {
			return n + 1
		}
		return 0
	}
	n := 0
	for n < len(b) && h.letter[b[n]] {
		n++
	}
	if n > 0 && ('A' <= b[0] && b[0] <= 'Z' || '0' <= b[0] && b[0] <= '9' || b[0] == '\'') {
		return 0
	}
	return n
}

func (h *equation) span(from, to int) text.Span {
	if to > from && h.line[from] == '(' {
		from, to = from+1, to-1
	}
	return text.Span{Start: h.at + from, End: h.at + to}
}

// defined returns the name that an equation defines: its first word, or the
// operator between its arguments.
func (h *equation) defined() text.Span {
	left := h.leftSide()
	if left < 0 {
		return text.Span{}
	}
	if name := h.operator(h.line[:left]); name.Len() > 0 {
		return name
	}
	return h.span(0, h.nameLen(h.line[:left]))
}

// leftSide returns where the = or | stands that ends the left side, the line's
// end where there is none but a name, or -1.
func (h *equation) leftSide() int {
	depth := 0
	for i, c := range h.line {
		switch {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth > 0 || c != '=' && c != '|':
		case i > 0 && isHaskellSign(h.line[i-1]) || i+1 < len(h.line) && isHaskellSign(h.line[i+1]):
		default:
			return i
		}
	}
	next, _ := indentAt(h.src, afterLineEnd(h.src, h.at+len(h.line), h.end), h.end)
	if h.nameLen(h.line) > 0 && next < h.end && (h.src[next] == '|' || h.src[next] == '=') {
		return len(h.line)
	}
	return -1
}

// operator returns the operator between two arguments.
func (h *equation) operator(left []byte) text.Span {
	depth := 0
	for i := 0; i < len(left); i++ {
		switch c := left[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth > 0 || i == 0:
		case c == '`':
			if n := bytes.IndexByte(left[i+1:], '`'); n > 0 {
				return text.Span{Start: h.at + i + 1, End: h.at + i + 1 + n}
			}
		case isHaskellSign(c) && left[i-1] == ' ':
			end := i
			for end < len(left) && isHaskellSign(left[end]) {
				end++
			}
			if end < len(left) && left[end] == ' ' {
				return text.Span{Start: h.at + i, End: h.at + end}
			}
			i = end
		}
	}
	return text.Span{}
}

// isFunctionType tells that the type, which may go over lines, is that of a
// function or of something that is run.
func (h *equation) isFunctionType() bool {
	end := h.at + len(h.line)
	for end < min(h.end, h.at+maxPatternBytes) {
		next := afterLineEnd(h.src, end, h.end)
		if first, indent := indentAt(h.src, next, h.end); indent <= h.indent || first == h.end {
			break
		}
		end = restOfLine(h.src, next, h.end)
	}
	signature := h.src[h.at:min(end, h.at+2*maxPatternBytes)]
	return bytes.Contains(signature, []byte("->")) || bytes.Contains(signature, []byte(" IO "))
}

func (h *equation) hasArguments(name text.Span) bool {
	left := max(0, h.leftSide())
	return len(bytes.Trim(h.line[:left], " \t()")) > name.Len() || left < len(h.line) && h.line[left] == '|'
}

func isHaskellSign(c byte) bool { return bytes.IndexByte([]byte("+-*/%<>=!~^&|?@.:$\\"), c) >= 0 }

func isHaskellWord(word string) bool {
	switch word {
	case "module", "import", "type", "data", "newtype", "class", "instance", "deriving", "infix", "infixl", "infixr", "default", "foreign",
		"pattern", "where", "let", "in", "case", "of", "if", "then", "else", "do", "mdo":
		return true
	}
	return false
}
