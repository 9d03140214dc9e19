package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// inWords holds the bytes that words are made of.
var inWords = func() (in [256]bool) {
	for c := range in {
		in[c] = isWordByte(byte(c))
	}
	return in
}()

// startsLine tells that only blanks stand before i in its line.
func (s *masker) startsLine(i int) bool {
	for i--; i >= 0 && (s.src[i] == ' ' || s.src[i] == '\t'); i-- {
	}
	return i < 0 || s.src[i] == '\n' || s.src[i] == '\r'
}

// skipComment returns the end of the comment that begins at i, or i.
func (s *masker) skipComment(i int) int {
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
func (s *masker) lineEnd(i int) int {
	for from := i; ; {
		end := bytes.IndexByte(s.src[from:], '\n')
		if end < 0 {
			s.look(len(s.src) + 1)
			return len(s.src)
		}
		from += end + 1
		s.look(from)
		if line := bytes.TrimRight(s.src[i:from-1], "\r"); s.family == familySharp || !bytes.HasSuffix(line, []byte(`\`)) {
			return from - 1
		}
	}
}

// quoted returns the end of the string or character that begins at i.
func (s *masker) quoted(i int) int {
	end := s.quotedEnd(i)
	s.look(max(end+1, i+maxMark))
	return end
}

func (s *masker) quotedEnd(i int) int {
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
func (s *masker) rawEnd(i int) int {
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
		if open := bytes.IndexByte(rest[:min(len(rest), maxMark-2)], '('); open >= 0 {
			return s.after(i+1, []byte(")"+string(rest[:open])+`"`))
		}
	}
	return i
}

// maxMark bounds how far is looked for what begins a string, in bytes.
const maxMark = 22

// doubledEnd returns the end of a string in which a quote is written twice.
func (s *masker) doubledEnd(i int) int {
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

// numberEnd goes past what belongs to a number: 1'000.5e+3.
func (s *masker) numberEnd(i int) int {
	for i < len(s.src) && (inWords[s.src[i]] || s.src[i] == '.' || s.src[i] == '\'' && inWords[s.at(i+1)]) {
		i++
	}
	return i
}

// after returns where the first mark from i on ends, or the text's end.
func (s *masker) after(i int, mark []byte) int {
	if at := bytes.Index(s.src[i:], mark); at >= 0 {
		s.look(i + at + len(mark))
		return i + at + len(mark)
	}
	s.look(len(s.src) + 1)
	return len(s.src)
}

// look takes down that the text was looked at up to a place: what is known by
// then depends on it.
func (s *masker) look(end text.Offset) { s.read = max(s.read, end) }

// next returns where what counts goes on from i, past blanks and comments.
func (s *masker) next(i int) int {
	for i < len(s.src) {
		end := i + 1
		if s.src[i] > ' ' {
			if end = s.skipComment(i); end == i {
				break
			}
		}
		i = end
	}
	s.look(i + 1)
	return i
}

// at returns the byte at i, 0 at the end.
func (s *masker) at(i int) byte {
	s.look(i + 1)
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

// wordAt returns the word that begins at i, empty if none does.
func (s *masker) wordAt(i int) []byte {
	end := i
	for end < len(s.src) && isWordByte(s.src[end]) {
		end++
	}
	s.look(end + 1)
	return s.src[i:end]
}

// prevByte returns the last byte before i that is no blank.
func (s *masker) prevByte(i int) byte {
	if before := bytes.TrimRight(s.src[:i], " \t\r\n"); len(before) > 0 {
		return before[len(before)-1]
	}
	return 0
}

// closing returns where the parentheses that open at i end, or i if they
// do not within maxArguments bytes.
func (s *masker) closing(i int) int {
	s.look(i + maxArguments)
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

// arguments returns the end of the parentheses that follow at end, or end.
func (s *masker) arguments(end int) int {
	if open := s.next(end); s.at(open) == '(' {
		if past := s.closing(open); past > open {
			return past
		}
	}
	return end
}

// pastAngles returns where the angle brackets that follow at i end, or i.
func (s *masker) pastAngles(i int) int {
	s.look(i + maxArguments)
	depth := 0
	for at := i; at < min(len(s.src), i+maxArguments); at++ {
		switch s.src[at] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return at + 1
			}
		case ';', '{', '}', '#', '"':
			return i
		}
		if depth == 0 && s.src[at] > ' ' {
			return i
		}
	}
	return i
}
