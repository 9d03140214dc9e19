package syntax

import (
	"regexp"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// word looks at the word at i and returns the end of what is decided by it.
func (s *masker) word(i int) int {
	end, first := i+1, s.src[i]
	lower := first >= 'a'
	for end < len(s.src) && inWords[s.src[end]] {
		lower = lower || s.src[end] >= 'a'
		end++
	}
	if first <= '9' {
		s.note('0')
		s.noteWord(text.Span{Start: i})
		return s.numberEnd(end)
	}
	before, words := s.prev, s.words
	s.noteWord(text.Span{Start: i, End: end})
	if !lower && s.family != familySharp && isMacroName(s.src[i:end]) && !s.types.has(s.src[i:end]) {
		return s.decide(i, end, before, words)
	}
	if n := len(s.groups); n > 0 && s.groups[n-1].first == 0 && goesOn(s.src[i:end]) {
		s.groups[n-1].broken = true
	}
	s.note(s.src[end-1])
	if lower && end-i > 1 && end-i <= longestWord {
		if past := s.known(i, end, before); past > 0 {
			return past
		}
	}
	return end
}

// longestWord is the length of the longest that known knows.
const longestWord = len("extension")

// known handles the word at i..end if it means something, and returns the end
// of what is decided by it, or 0. The byte before stands in front of it.
func (s *masker) known(i, end int, before byte) int {
	switch word := s.src[i:end]; string(word) {
	case "class", "struct", "union", "enum":
		if s.family != familySharp {
			return s.tag(end)
		}
	case "return":
		s.value = true
	case "template":
		return s.pastAngles(end)
	case "namespace":
		s.namespace(end)
	case "const", "noexcept", "override", "final", "volatile": // between a function's parameters and its body
		if before == ')' {
			s.prev = before
		}
	case "extension":
		if s.family == familySharp && isBoundary(before) {
			return s.extension(i, end)
		}
	case "auto", "_BitInt":
		if s.family == familyC {
			s.newInC(i, end)
		}
	case "export", "module", "import", "slots", "Q_SLOTS", "signals", "Q_SIGNALS", "if", "extern":
		if s.family == familyCPP {
			return s.newInCPP(word, i, before)
		}
	}
	return 0
}

// goesOn tells that a word does not begin what stands in a branch, but goes on
// with what is before it.
func goesOn(word []byte) bool {
	switch string(word) {
	case "else", "catch", "requires", "noexcept", "override", "final":
		return true
	}
	return false
}

// newInC has the grammar see what it knows for a word of C23.
func (s *masker) newInC(i, end int) {
	if s.src[i] == '_' {
		s.mask(end, s.arguments(end)) // _BitInt(17)
		return
	}
	// What has its type from its value: "auto x = 1".
	if name := s.next(end); s.at(s.next(name+len(s.wordAt(name)))) == '=' {
		s.show(i, end, "int")
	}
}

// moduleLine is a line of C++ that names modules.
var moduleLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:export\s+)?(?:module|import)\b\s*[\w.:<>"/]*\s*(?:\[\[.*?\]\]\s*)?;`)
})

// newInCPP handles a word that C++ has and its grammar does not know; before
// stands in front of it. It returns the end of what is decided, or 0.
func (s *masker) newInCPP(word []byte, i int, before byte) int {
	end := i + len(word)
	switch string(word) {
	case "export", "module", "import":
		if isBoundary(before) || before == '>' {
			return s.moduleInCPP(string(word) == "export", i, end)
		}
	case "slots", "Q_SLOTS", "signals", "Q_SIGNALS": // Qt's
		if colon := s.next(end); s.at(colon) == ':' && s.at(colon+1) != ':' && !s.value {
			with := "public"
			if word[len(word)-2] == 't' || word[len(word)-2] == 'T' {
				with = "" // "public slots"
			}
			s.show(i, end, with)
			return end
		}
	case "extern": // template class list<int>;
		if isBoundary(before) && string(s.wordAt(s.next(end))) == "template" {
			s.mask(i, end)
			return end
		}
	case "if":
		return s.ifInCPP(end)
	}
	return 0
}

// moduleInCPP is newInCPP for a word of modules, from i to end.
func (s *masker) moduleInCPP(export bool, i, end int) int {
	if s.value {
		return 0
	}
	if s.startsLine(i) {
		if line := moduleLine().Find(s.src[i:s.lineEnd(i)]); line != nil {
			s.mask(i, i+len(line))
			s.prev = ';'
			return i + len(line)
		}
	}
	if export {
		s.out = append(s.out, maskedSpan{Span: text.Span{Start: i, End: end}, lead: s.at(s.next(end)) != '{'})
		return end
	}
	return 0
}

// ifInCPP is newInCPP for an "if" that ends at end.
func (s *masker) ifInCPP(end int) int {
	at := s.next(end)
	if macro := s.wordAt(at); isMacroName(macro) { // if CONSTEXPR (
		if past := at + len(macro); s.at(s.next(past)) == '(' {
			s.mask(at, past)
			return past
		}
	}
	not := at
	if s.at(at) == '!' {
		not++
	}
	if past := not + len("consteval"); string(s.wordAt(not)) == "consteval" {
		s.show(at, past, "(0)")
		return past
	}
	return 0
}
