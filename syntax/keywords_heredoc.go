package syntax

import (
	"bytes"
	"strings"
)

// maxSearches is how often the end of a text within the text may be looked
// for in vain before such texts are not believed in any more.
const maxSearches = 4

// heredocBegins goes past "<<WORD", which says that the next lines are text up
// to one that is WORD.
func (s *scanner) heredocBegins() {
	mark := s.heredoc
	at := s.at
	s.at++
	if !bytes.HasPrefix(s.src[at:s.end], []byte(mark)) {
		return
	}
	at += len(mark)
	for at < s.end && at-s.at < 4 && (s.src[at] == '-' || s.src[at] == '~' || s.heredocAny && s.src[at] == ' ') {
		at++
	}
	quoted := at < s.end && strings.IndexByte("\"'", s.src[at]) >= 0
	if quoted {
		at++
	}
	word := at
	for at < s.end && isWordByte(s.src[at]) && at-word < 64 {
		at++
	}
	if at == word || !quoted && !s.heredocAny && !isCapital(s.src[word]) || s.searches == maxSearches {
		return
	}
	s.heredocs = append(s.heredocs, string(s.src[word:at]))
	if quoted {
		at++
	}
	s.at = min(at, s.end)
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' || c == '_' }

// skipHeredocs goes past the texts that begin with this line. It reports whether
// that ends where a line begins.
func (s *scanner) skipHeredocs() bool {
	for _, word := range s.heredocs {
		end, found := s.heredocEnd(word)
		if !found {
			s.searches++
			s.steps += s.end - s.at
			break
		}
		s.steps += end - s.at
		s.at, s.code, s.mark = end, end, end
	}
	s.heredocs = s.heredocs[:0]
	return s.at == s.end || isLineEnd(s.src[s.at-1])
}

// heredocEnd returns where the word ends that ends a text.
func (s *scanner) heredocEnd(word string) (end int, found bool) {
	for at := s.at; at < s.end; {
		first, _ := indentAt(s.src, at, s.end)
		if rest := s.src[first:s.end]; bytes.HasPrefix(rest, []byte(word)) && (len(rest) == len(word) || !isWordByte(rest[len(word)])) {
			return first + len(word), true
		}
		at = restOfLine(s.src, first, s.end)
		if at < s.end {
			at = afterLineEnd(s.src, at, s.end)
		}
	}
	return 0, false
}
