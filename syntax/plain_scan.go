package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// The languages that go through a preprocessor are not parsed as a compiler
// sees them. Macros in odd places and branches of #if that hold half a block
// each make a grammar lose its way, often to the end of the file. So the
// grammar is shown the text without them: as blanks, all offsets kept.

// A blank is a part of a text that the grammar is not shown.
type blank struct {
	text.Span
	lead bool   // belongs to the definition that follows: "EXPORT int f();"
	with string // stands in its place, filled up with blanks
}

// hider goes through a text and gathers what is to be blanked.
type hider struct {
	src              []byte
	family           family
	out              []blank
	prev             byte            // the last byte that counts; a word's last
	paren            int             // depth
	value            bool            // within an expression
	braces           int             // depth
	enumerates, enum bool            // an enum begins; it has begun
	unshown          []int           // depths of the braces that are blanked
	groups           []branches      // #if around this place
	words            [2]text.Span    // the last two
	types            map[string]bool // the types that are defined above
}

type family uint8

const (
	familyC family = iota
	familyCPP
	familySharp // has branches, but no macros
)

// blanks finds what the grammar is not shown of src.
func (f family) blanks(src []byte) []blank { return (&hider{src: src, family: f}).run() }

func (s *hider) run() []blank {
	for i := 0; i < len(s.src); {
		i = s.token(i)
	}
	return s.out
}

// token looks at what begins at i and returns where it ends.
func (s *hider) token(i int) int {
	switch c := s.src[i]; {
	case c <= ' ':
		for i++; i < len(s.src) && s.src[i] <= ' '; i++ {
		}
		return i
	case inWords[c]:
		return s.word(i)
	case c == '#' && s.startsLine(i):
		return s.directive(i)
	case c == '"' || c == '\'':
		s.note(c)
		return s.quoted(i)
	case c == '/' && (s.at(i+1) == '/' || s.at(i+1) == '*'):
		return s.skipComment(i)
	default:
		if c == '[' && s.family == familyC && s.at(i+1) == '[' && isWordByte(s.prev) {
			end := s.after(i, []byte("]]")) // an attribute in a place that is new
			s.blank(i, end)
			return end
		}
		if c == '*' {
			s.pointed(i)
		}
		if n := len(s.groups); c == ':' && n > 0 && s.groups[n-1].first == 0 && s.at(i+1) != ':' {
			s.groups[n-1].broken = true // ": base"
		}
		if end := s.next(i + 1); c == '=' && s.paren > 0 && (s.prev == '*' || s.prev == '&') && len(s.wordAt(end)) > 0 {
			s.blank(i, end+len(s.wordAt(end))) // "int * = nullptr"
		}
		s.note(c)
		s.punctuation(c, i)
		if c == '(' {
			s.returnedArray(i)
			s.oldParameters(i)
		}
		return i + 1
	}
}

// note takes down a byte that counts.
func (s *hider) note(c byte) {
	s.prev = c
	if n := len(s.groups); n > 0 {
		s.groups[n-1].note(c)
	}
}

func (s *hider) punctuation(c byte, i int) {
	begins := s.enumerates
	s.enumerates = begins && (c == ':' || c == '[' || c == ']')
	switch c {
	case '(', '[':
		s.paren++
	case ')', ']':
		s.paren--
	case '=':
		s.value = s.value || s.paren <= 0 && !s.inOperator(i)
	case ';':
		s.paren, s.value = 0, false
	case '{':
		s.paren, s.value, s.enum = 0, false, begins
		s.braces++
	case '}':
		s.paren, s.value, s.enum = 0, false, false
		if n := len(s.unshown); n > 0 && s.unshown[n-1] == s.braces {
			s.unshown = s.unshown[:n-1]
			s.blank(i, i+1)
		}
		s.braces--
	}
}

// extension blanks the head and the braces of a block of C# whose members the
// grammar shall see as those of the class around it; see punctuation.
func (s *hider) extension(i, end int) int {
	head := s.at(s.next(end))
	open := bytes.IndexAny(s.src[end:min(len(s.src), end+maxArguments)], "{};") + end
	if head != '(' && head != '<' || open < end || s.src[open] != '{' {
		return end
	}
	s.blank(i, open+1)
	s.braces++
	s.unshown = append(s.unshown, s.braces)
	s.note('{')
	return open + 1
}

// inOperator tells that the word operator stands before i: "operator==".
func (s *hider) inOperator(i int) bool {
	word := s.words[1]
	return i-word.End < 4 && string(s.src[word.Start:word.End]) == "operator"
}

// pointed has the grammar see something simpler for pointers that it does not
// know: what one of C# points at that is made on the spot, "*(int*)(p + 1)",
// and one to a member in C++, "int Foo::*x".
func (s *hider) pointed(i int) {
	switch {
	case s.family == familySharp && s.at(i+1) == '(':
		if end := s.closing(i + 1); end > i+3 && s.src[end-2] == '*' && s.at(end) == '(' {
			s.show(i, s.closing(end), "x")
		}
	case s.family == familyCPP && i > 2 && s.src[i-1] == ':':
		from := i
		for from > 0 && (inWords[s.src[from-1]] || s.src[from-1] == ':') {
			from--
		}
		s.show(from, i+1, "*")
	}
}

// returnedArray has the grammar take the function that the parenthesis at i
// begins for one that returns no array: "int (&all())[3] {".
func (s *hider) returnedArray(i int) {
	if s.family != familyCPP || s.at(i+1) != '&' {
		return
	}
	name := s.wordAt(i + 2)
	end := s.closing(i)
	if len(name) == 0 || s.at(i+2+len(name)) != '(' || end == i || s.at(end) != '[' {
		return
	}
	if size := bytes.IndexByte(s.src[end:], ']'); size >= 0 && s.at(s.next(end+size+1)) == '{' {
		s.blank(i, i+2)
		s.blank(end-1, end+size+1)
	}
}

// oldParameters blanks how the parameters whose names stand in parentheses at
// i are declared behind them: "f(a, b) int a; char *b; {".
func (s *hider) oldParameters(i int) {
	if s.family != familyC {
		return
	}
	end := i + 1
	for ; end < len(s.src) && s.src[end] != ')'; end++ {
		if c := s.src[end]; !inWords[c] && c != ',' && (c > ' ' || c == ' ' && inWords[s.src[end-1]]) {
			return
		}
	}
	end++
	if !isWordByte(s.at(s.next(end))) {
		return
	}
	body := bytes.IndexByte(s.src[end:min(len(s.src), end+maxArguments)], '{') + end
	if body >= end && s.prevByte(body) == ';' && !bytes.ContainsAny(s.src[end:body], "=}#:\"") {
		s.blank(end, body)
	}
}

// prevByte returns the last byte before i that is no blank.
func (s *hider) prevByte(i int) byte {
	if before := bytes.TrimRight(s.src[:i], " \t\r\n"); len(before) > 0 {
		return before[len(before)-1]
	}
	return 0
}

// startsLine tells that only blanks stand before i in its line.
func (s *hider) startsLine(i int) bool {
	for i--; i >= 0 && (s.src[i] == ' ' || s.src[i] == '\t'); i-- {
	}
	return i < 0 || s.src[i] == '\n' || s.src[i] == '\r'
}

// skipComment returns the end of the comment that begins at i, or i.
func (s *hider) skipComment(i int) int {
	if s.src[i] != '/' {
		return i
	}
	switch s.at(i + 1) {
	case '/':
		return s.lineEnd(i)
	case '*':
		return s.after(i+2, []byte("*/"))
	}
	return i
}

// lineEnd returns the end of the line at i, which goes on after a backslash.
func (s *hider) lineEnd(i int) int {
	for from := i; ; {
		end := bytes.IndexByte(s.src[from:], '\n')
		if end < 0 {
			return len(s.src)
		}
		from += end + 1
		if line := bytes.TrimRight(s.src[i:from-1], "\r"); s.family == familySharp || !bytes.HasSuffix(line, []byte(`\`)) {
			return from - 1
		}
	}
}

// quoted returns the end of the string or character that begins at i.
func (s *hider) quoted(i int) int {
	if end := s.rawEnd(i); end > i {
		return end
	}
	for at := i + 1; at < len(s.src); at++ {
		switch s.src[at] {
		case s.src[i]:
			return at + 1
		case '\\':
			at++
		case '\n':
			return at // not closed
		}
	}
	return len(s.src)
}

// rawEnd returns the end of a string without escapes: C++'s R"x(…)x", C#'s
// @"…" and """…""". It returns i for another.
func (s *hider) rawEnd(i int) int {
	before, rest := s.src[max(i-2, 0):i], s.src[i+1:]
	switch {
	case s.src[i] != '"':
		return i
	case s.family == familySharp && bytes.HasPrefix(rest, []byte(`""`)):
		quotes := 1 + len(rest) - len(bytes.TrimLeft(rest, `"`))
		return s.after(i+quotes, s.src[i:i+quotes])
	case s.family == familySharp && bytes.IndexByte(before, '@') >= 0:
		return s.doubledEnd(i)
	case s.family != familySharp && bytes.HasSuffix(before, []byte("R")):
		if open := bytes.IndexByte(rest[:min(len(rest), 20)], '('); open >= 0 {
			return s.after(i+1, []byte(")"+string(rest[:open])+`"`))
		}
	}
	return i
}

// doubledEnd returns the end of a string in which a quote is written twice.
func (s *hider) doubledEnd(i int) int {
	for i++; i < len(s.src); i++ {
		if s.src[i] == '"' {
			if i+1 == len(s.src) || s.src[i+1] != '"' {
				return i + 1
			}
			i++
		}
	}
	return i
}

// after returns where the first mark from i on ends, or the text's end.
func (s *hider) after(i int, mark []byte) int {
	if at := bytes.Index(s.src[i:], mark); at >= 0 {
		return i + at + len(mark)
	}
	return len(s.src)
}

// next returns where what counts goes on from i, past blanks and comments.
func (s *hider) next(i int) int {
	for i < len(s.src) {
		end := i + 1
		if s.src[i] > ' ' {
			if end = s.skipComment(i); end == i {
				return i
			}
		}
		i = end
	}
	return i
}

// at returns the byte at i, 0 at the end.
func (s *hider) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

// wordAt returns the word that begins at i, empty if none does.
func (s *hider) wordAt(i int) []byte {
	end := i
	for end < len(s.src) && isWordByte(s.src[end]) {
		end++
	}
	return s.src[i:end]
}

// closing returns where the parentheses that open at i end, or i if they
// do not within maxArguments bytes.
func (s *hider) closing(i int) int {
	depth := 0
	for at := i; at < min(len(s.src), i+maxArguments); at++ {
		switch s.src[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"', '\'':
			at = s.quoted(at) - 1
		case ';', '{', '}':
			return i
		}
	}
	return i
}

// maxArguments is how long a macro's arguments may be, in bytes.
const maxArguments = 1000
