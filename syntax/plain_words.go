package syntax

import (
	"regexp"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// moduleLine is a line of C++ that names modules.
var moduleLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:export\s+)?(?:module|import)\b\s*[\w.:<>"/]*\s*(?:\[\[.*?\]\]\s*)?;`)
})

// newInC has the grammar see what it knows for a word of C23.
func (s *hider) newInC(i, end int) {
	if s.src[i] == '_' {
		s.blank(end, s.arguments(end)) // _BitInt(17)
		return
	}
	// What has its type from its value: "auto x = 1".
	if name := s.next(end); s.at(s.next(name+len(s.wordAt(name)))) == '=' {
		s.show(i, end, "int")
	}
}

// newInCPP handles a word that C++ has and its grammar does not know; before
// stands in front of it. It returns the end of what is settled, or 0.
func (s *hider) newInCPP(word []byte, i int, before byte) int {
	end := i + len(word)
	switch string(word) {
	case "export", "module", "import":
		if !isBoundary(before) && before != '>' || s.value {
			return 0
		}
		if s.startsLine(i) {
			if line := moduleLine().Find(s.src[i:s.lineEnd(i)]); line != nil {
				s.blank(i, i+len(line))
				s.prev = ';'
				return i + len(line)
			}
		}
		if string(word) == "export" {
			s.out = append(s.out, blank{Span: text.Span{Start: i, End: end}, lead: s.at(s.next(end)) != '{'})
			return end
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
			s.blank(i, end)
			return end
		}
	case "if":
		if macro := s.next(end); isMacroName(s.wordAt(macro)) { // if CONSTEXPR (
			if past := macro + len(s.wordAt(macro)); s.at(s.next(past)) == '(' {
				s.blank(macro, past)
				return past
			}
		}
		at := s.next(end)
		if s.at(at) == '!' {
			at++
		}
		if past := at + len("consteval"); string(s.wordAt(at)) == "consteval" {
			s.show(s.next(end), past, "(0)")
			return past
		}
	}
	return 0
}
