package syntax

import "github.com/agent-lsp/agent-lsp/internal/text"

// The languages that go through a preprocessor are not parsed as a compiler
// sees them. Macros in odd places and branches of #if that hold half a block
// each make a grammar lose its way, often to the end of the file. So the
// grammar is shown the text without them: as blanks, all offsets kept.

// maskedSpan is a part of a text that the grammar is not shown.
type maskedSpan struct {
	text.Span
	lead bool   // belongs to the definition that follows: "EXPORT int f();"
	with string // stands in its place, filled up with blanks
}

// masker goes through a text and gathers what is to be masked.
type masker struct {
	src    []byte
	family family
	out    []maskedSpan
	types  typesAbove
	read   text.Offset // how far the text has been looked at; past its end if that was seen
	maskState
}

// maskState is what a masker knows of the text before a place.
type maskState struct {
	prev             byte         // the last byte that counts; a word's last
	paren            int          // depth
	value            bool         // within an expression
	enumerates, enum bool         // an enum begins; it has begun
	unshown          []int        // depths within the braces around this place that are blanked
	groups           []branches   // #if around this place
	words            [2]text.Span // the last two; a number or a string has no end
}

// family is a group of languages whose texts are gone through alike.
type family uint8

const (
	familyNone family = iota
	familyC
	familyCPP
	familySharp // has branches, but no macros
)

// token looks at what begins at i and returns where it ends.
func (s *masker) token(i int) int {
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
		s.noteWord(text.Span{Start: i})
		return s.quoted(i)
	case c == '/' && (s.at(i+1) == '/' || s.at(i+1) == '*'):
		return s.skipComment(i)
	case c == '[' && s.family == familyC && s.at(i+1) == '[' && isWordByte(s.prev):
		end := s.after(i, []byte("]]")) // an attribute in a place that is new
		s.mask(i, end)
		return end
	default:
		s.shape(c, i)
		s.punctuation(c, i)
		return i + 1
	}
}

// shape looks for what a grammar does not know and begins with the byte c at i,
// and takes the byte down.
func (s *masker) shape(c byte, i int) {
	switch c {
	case '*':
		s.pointed(i)
	case '(':
		s.returnedArray(i)
		s.oldParameters(i)
	case ':':
		if n := len(s.groups); n > 0 && s.groups[n-1].first == 0 && s.at(i+1) != ':' {
			s.groups[n-1].broken = true // ": base"
		}
	case '=': // "int * = nullptr"
		if s.paren > 0 && (s.prev == '*' || s.prev == '&') {
			if value := s.next(i + 1); len(s.wordAt(value)) > 0 {
				s.mask(i, value+len(s.wordAt(value)))
			}
		}
	}
	s.note(c)
}

// note takes down a byte that counts.
func (s *masker) note(c byte) {
	s.prev = c
	if n := len(s.groups); n > 0 {
		s.groups[n-1].note(c)
	}
}

func (s *masker) noteWord(at text.Span) { s.words = [2]text.Span{s.words[1], at} }

// punctuation keeps account of depths.
func (s *masker) punctuation(c byte, i int) {
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
		if n := len(s.unshown); n > 0 {
			s.unshown[n-1]++
		}
	case '}':
		s.paren, s.value, s.enum = 0, false, false
		if n := len(s.unshown); n > 0 {
			if s.unshown[n-1]--; s.unshown[n-1] < 0 {
				s.unshown = s.unshown[:n-1]
				s.mask(i, i+1)
			}
		}
	}
}

// inOperator tells that the word operator stands before i: "operator==".
func (s *masker) inOperator(i int) bool {
	word := s.words[1]
	return word.End > 0 && i-word.End < 4 && string(s.src[word.Start:word.End]) == "operator"
}

func (s *masker) mask(from, to int) { s.show(from, to, "") }

// show has the grammar see something else.
func (s *masker) show(from, to int, with string) {
	if from < to {
		s.out = append(s.out, maskedSpan{Span: text.Span{Start: from, End: to}, with: with})
	}
}
