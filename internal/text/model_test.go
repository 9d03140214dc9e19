package text

import (
	"strings"
	"unicode/utf8"
)

// model is a text as a plain string, with every answer found by scanning it
// or the list of its lines.
type model struct {
	string
	// contents has, under each line rule, the content of each line without
	// its line ending: one more than there are line ends.
	contents [2][]Span
}

func newModel(s string) *model {
	return &model{s, [2][]Span{AnyLineEnd: contents(s, AnyLineEnd), OnlyLF: contents(s, OnlyLF)}}
}

func contents(s string, rule LineRule) []Span {
	var lines []Span
	start := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			lines = append(lines, Span{start, i})
			start = i + 1
		case rule == AnyLineEnd && strings.HasPrefix(s[i:], "\r\n"):
			lines = append(lines, Span{start, i})
			start = i + 2
			i++
		case rule == AnyLineEnd && s[i] == '\r':
			lines = append(lines, Span{start, i})
			start = i + 1
		}
	}
	return append(lines, Span{start, len(s)})
}

func (m *model) breaks() int { return len(m.contents[AnyLineEnd]) - 1 }

func (m *model) finalNewline() bool {
	return strings.HasSuffix(m.string, "\n") || strings.HasSuffix(m.string, "\r")
}

func (m *model) lines() int {
	if m.string == "" || m.finalNewline() {
		return m.breaks()
	}
	return m.breaks() + 1
}

func (m *model) eol() EOL {
	eol := None
	lines := m.contents[AnyLineEnd]
	for i, line := range lines[1:] {
		this := LF
		switch m.string[lines[i].End:line.Start] {
		case "\r\n":
			this = CRLF
		case "\r":
			this = CR
		}
		if eol != None && eol != this {
			return Mixed
		}
		eol = this
	}
	return eol
}

func (m *model) lineStart(line int) Offset {
	lines := m.contents[AnyLineEnd]
	if line < 0 {
		return 0
	}
	if line >= len(lines) {
		return len(m.string)
	}
	return lines[line].Start
}

func (m *model) lineAt(o Offset) int {
	if o >= len(m.string) {
		return max(m.lines()-1, 0)
	}
	at := 0
	for i, line := range m.contents[AnyLineEnd] {
		if line.Start <= o {
			at = i
		}
	}
	return at
}

func (m *model) floor(o Offset) Offset {
	o = min(max(o, 0), len(m.string))
	for o < len(m.string) && !utf8.RuneStart(m.string[o]) {
		o--
	}
	return o
}

func (m *model) replace(s Span, new string) *model {
	s = s.within(len(m.string))
	return newModel(m.string[:m.floor(s.Start)] + new + m.string[m.floor(s.End):])
}

// width returns how many units a character takes.
func width(r rune, e PositionEncoding) int {
	switch {
	case e == UTF8:
		return utf8.RuneLen(r)
	case e == UTF16 && r > 0xFFFF:
		return 2
	default:
		return 1
	}
}

func units(s string, e PositionEncoding) int {
	n := 0
	for _, r := range s {
		n += width(r, e)
	}
	return n
}

func (m *model) offsetAt(p Position, c Coord) Offset {
	lines := m.contents[c.Lines]
	if int(p.Line) >= len(lines) {
		return len(m.string)
	}
	line := lines[p.Line]
	column := 0
	for i, r := range m.string[line.Start:line.End] {
		if column += width(r, c.Encoding); column > int(p.Character) {
			return line.Start + i
		}
	}
	return line.End
}

func (m *model) positionAt(o Offset, c Coord) Position {
	o = m.floor(o)
	n := 0
	for i, line := range m.contents[c.Lines] {
		if line.Start <= o {
			n = i
		}
	}
	line := m.contents[c.Lines][n]
	content := m.string[line.Start:min(o, line.End)]
	return Position{uint32(n), uint32(units(content, c.Encoding))}
}

func summaryOf(text string) summary {
	s := summary{
		bytes: uint32(len(text)),
		chars: uint32(utf8.RuneCountInString(text)),
		utf16: uint32(units(text, UTF16)),
		lf:    uint32(strings.Count(text, "\n")),
		cr:    uint32(strings.Count(text, "\r")),
		pairs: pairs(strings.Count(text, "\r\n")) * onePair,
	}
	if strings.HasPrefix(text, "\n") {
		s.pairs |= startsLF
	}
	if strings.HasSuffix(text, "\n") {
		s.pairs |= endsLF
	}
	if strings.HasSuffix(text, "\r") {
		s.pairs |= endsCR
	}
	return s
}
