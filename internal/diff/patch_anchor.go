package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// anchored returns the lines that the last anchor of the hunk names, as far as
// those before it lead there.
func (s *search) anchored(p *placed) []int32 {
	var starts []int32
	for i, anchor := range p.hunk.anchors {
		lines := s.named(p.lines, anchor)
		if i > 0 {
			lines = s.behind(p.lines, starts, lines, 1)
		}
		starts = lines
	}
	return starts
}

// missingAnchor returns the first of the hunk's anchors that is no line of the
// text, or to which the ones before it do not lead; "" when there is none.
func (s *search) missingAnchor(p *placed) string {
	for i, anchor := range p.hunk.anchors {
		h := Hunk{anchors: p.hunk.anchors[:i+1]}
		if len(s.anchored(&placed{hunk: &h, lines: s.any})) == 0 {
			return anchor
		}
	}
	return ""
}

// named returns the lines that are an anchor; without any, those that begin
// with it.
func (s *search) named(t *lineTable, anchor string) []int32 {
	s.steps -= t.len()
	anchor = strings.TrimSpace(anchor)
	var same, begin []int32
	for i := range t.len() {
		line := strings.TrimSpace(t.line(i))
		switch rest, ok := strings.CutPrefix(line, anchor); {
		case ok && rest == "":
			same = append(same, int32(i))
		case ok && endsWord(anchor, rest):
			begin = append(begin, int32(i))
		}
	}
	if len(same) > 0 {
		return same
	}
	return begin
}

// endsWord tells that no word goes on from a into b.
func endsWord(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return !isWord(last) || !isWord(first)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// behind returns those of places, of so many lines each, to which anchors at
// starts lead: those in the blocks that begin there; when none lies in one,
// those that end behind the first start.
func (s *search) behind(t *lineTable, starts, places []int32, lines int32) []int32 {
	if len(starts) == 0 {
		return nil
	}
	var within []int32
	for _, start := range starts {
		if s.steps < 0 {
			return nil // the caller refuses
		}
		end := s.blockEnd(t, start)
		from := start - lines + 1
		if n := len(within); n > 0 {
			from = max(from, within[n-1]+1) // blocks may lie in blocks
		}
		for i, _ := slices.BinarySearch(places, from); i < len(places) && places[i] < end; i++ {
			within = append(within, places[i])
		}
	}
	if len(within) > 0 {
		return within
	}
	i, _ := slices.BinarySearch(places, starts[0]-lines+1)
	return places[i:]
}

// blockEnd returns the line behind the block that a line begins: the next one
// that is indented no deeper and begins with a word. What begins with a brace
// or another mark may be the block's.
func (s *search) blockEnd(t *lineTable, start int32) int32 {
	depth := indentOf(t.line(int(start)))
	i := int(start) + 1
	for ; i < t.len(); i++ {
		line := t.line(i)
		d := indentOf(line)
		if first, _ := utf8.DecodeRuneInString(line[d:]); d <= depth && isWord(first) {
			break
		}
	}
	s.steps -= i - int(start)
	return int32(i)
}

// indentOf counts the blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
