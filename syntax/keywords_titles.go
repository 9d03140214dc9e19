package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// titles finds the headings of prose.
type titles struct {
	*scanner
	fence  string // what ends the block that is no prose; "" outside of one
	markup string // what ends the markup that is no prose; "" outside of it
	before []byte // the line before, if a heading could be underlined there
	above  int    // where that line begins
	levels []byte // reStructuredText: the signs of underlines, by level
}

// scanMarkdown finds "# Heading" and headings that are underlined.
func scanMarkdown(s *scanner) {
	t := titles{scanner: s}
	s.eachLine(func(content []byte) {
		switch {
		case t.inFence(content, "```", "~~~"), t.inMarkup(content):
			t.before = nil
		case s.indent < 4 && t.atx(content):
			t.before = nil
		case len(t.before) > 0 && strings.IndexByte("-*+>|", t.before[0]) < 0 && s.indent < 4 && isUnderline(content, "=-", 2):
			t.underlined(1 + strings.IndexByte("=-", content[0]))
		default:
			t.keep(content)
		}
	})
}

// scanProse finds Markdown's headings in a text that may well be something
// else: blank lines around them are asked for.
func scanProse(s *scanner) {
	t := titles{scanner: s}
	alone, marked := true, []byte(nil) // the line before stands alone so far; a heading, if nothing follows it
	from := 0
	comments := false // "#" begins comments in it
	s.eachLine(func(content []byte) {
		comments = comments || len(content) > 0 && content[0] == '#' && (marked != nil || !alone || !isMarked(content))
		switch {
		case len(content) == 0:
			if marked != nil {
				t.take(marked, from)
			}
			alone, marked = true, nil
			t.keep(content)
		case len(t.before) > 0 && alone && s.indent == 0 && isUnderline(content, "=-", max(3, len(t.before)-2)) && !isUnderline(t.before, "=-", 1):
			t.underlined(1 + strings.IndexByte("=-", content[0]))
			alone, marked = false, nil
		default:
			alone = len(t.before) == 0 && alone
			marked = nil
			if alone && s.indent == 0 && content[0] == '#' {
				marked, from = content, s.first
			}
			t.keep(content)
		}
	})
	if marked != nil {
		t.take(marked, from)
	}
	for i := range s.defs {
		if d := &s.defs[i]; comments && s.src[d.Head] == '#' {
			d.Name = ""
		}
	}
}

// isMarked tells that a line reads like a heading, and not like a comment.
func isMarked(content []byte) bool {
	signs := blanksOf(content, "#")
	return signs < len(content) && isBlank(content[signs]) && strings.IndexByte(".,;:", content[len(content)-1]) < 0
}

// take takes a line that was passed as a heading.
func (t *titles) take(content []byte, at int) {
	first := t.first
	t.first, t.code = at, min(t.code, endBeforeLine(t.src, at))
	t.atx(content)
	t.first, t.code = first, max(t.code, at+len(content))
}

// scanAsciidoc finds "== Heading".
func scanAsciidoc(s *scanner) {
	t := titles{scanner: s}
	s.eachLine(func(content []byte) {
		if t.inFence(content, "----", "....", "////", "****") || s.indent > 0 {
			return
		}
		level := len(content) - len(bytes.TrimLeft(content, "="))
		if level > 0 && level < 7 && level+1 < len(content) && content[level] == ' ' {
			s.enterLine(String, level, level+1+blanksAt(content[level+1:]), len(content))
		}
	})
}

// scanRest finds reStructuredText's headings, whose levels are told by the
// order in which their underlines come up.
func scanRest(s *scanner) {
	t := titles{scanner: s}
	s.eachLine(func(content []byte) {
		const signs = "=-~^\"'`#*+.:_<>"
		if len(t.before) > 0 && s.indent == 0 && isUnderline(content, signs, min(3, len(t.before))) && len(content) >= len([]rune(string(t.before))) {
			t.underlined(t.levelOf(content[0]))
			return
		}
		if s.indent > 0 || isUnderline(content, signs, 3) {
			content = nil
		}
		t.keep(content)
	})
}

func (t *titles) levelOf(sign byte) int {
	at := bytes.IndexByte(t.levels, sign)
	if at < 0 {
		t.levels = append(t.levels, sign)
		at = len(t.levels) - 1
	}
	return at + 1
}

// inFence tells that a line stands in a block that is no prose, or at its ends.
func (t *titles) inFence(content []byte, marks ...string) bool {
	if t.fence != "" {
		if bytes.HasPrefix(content, []byte(t.fence)) {
			t.fence = ""
		}
		return true
	}
	for _, mark := range marks {
		if bytes.HasPrefix(content, []byte(mark)) && (mark[0] == '`' || mark[0] == '~' || len(bytes.Trim(content, mark[:1])) == 0) {
			t.fence = mark
			return true
		}
	}
	return false
}

// inMarkup tells that a line stands in a comment, in markup that is shown as it
// is, or in what stands before a text and is about it.
func (t *titles) inMarkup(content []byte) bool {
	if t.markup != "" {
		if bytes.Contains(content, []byte(t.markup)) {
			t.markup = ""
		}
		return true
	}
	for mark, end := range map[string]string{"<!--": "-->", "<pre": "</pre>", "<script": "</script>", "<style": "</style>"} {
		if bytes.HasPrefix(content, []byte(mark)) {
			if !bytes.Contains(content, []byte(end)) {
				t.markup = end
			}
			return true
		}
	}
	if t.line == 0 && string(content) == "---" {
		t.markup = "---"
	}
	return t.markup != ""
}

// atx takes a line with number signs as a heading.
func (t *titles) atx(content []byte) bool {
	level := len(content) - len(bytes.TrimLeft(content, "#"))
	if level == 0 || level > 6 || level == len(content) || !isBlank(content[level]) {
		return false
	}
	from := level + blanksAt(content[level:])
	end := len(content)
	if closed := bytes.TrimRight(content, "#"); len(closed) > from && isBlank(closed[len(closed)-1]) {
		end = len(bytes.TrimRight(closed, " \t"))
	}
	if end <= from {
		return false
	}
	t.enterLine(String, level, from, end)
	return true
}

func blanksAt(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

// isUnderline tells that a line is one sign again and again.
func isUnderline(content []byte, signs string, least int) bool {
	return len(content) >= max(1, least) && strings.IndexByte(signs, content[0]) >= 0 && len(bytes.Trim(content, string(content[:1]))) == 0
}

func (t *titles) keep(content []byte) { t.before, t.above = content, t.first }

// underlined takes the line before as a heading.
func (t *titles) underlined(level int) {
	name := text.Span{Start: t.above, End: t.above + len(t.before)}
	head := t.above
	before := endBeforeLine(t.src, head)
	if over := lineUpTo(t.src, before); over.Len() > 0 && isUnderline(t.src[over.Start:over.End], string(t.src[t.first]), 3) {
		head, before = over.Start, endBeforeLine(t.src, over.Start)
	}
	t.code = min(t.code, before)
	t.enter(String, level, head, name)
	t.before = nil
}

// endBeforeLine returns where the last byte ends before a line that is neither
// blank nor line end.
func endBeforeLine(src []byte, at int) int {
	for at > 0 && (isBlank(src[at-1]) || isLineEnd(src[at-1])) {
		at--
	}
	return at
}

// scanTeX finds sections and what commands define.
func scanTeX(s *scanner) {
	levels := []string{"part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"}
	s.eachLine(func(content []byte) {
		if len(content) == 0 || content[0] != '\\' {
			return
		}
		command := string(content[1 : 1+lettersAt(content[1:])])
		from := bytes.IndexByte(content, '{') + 1
		end := braceEnd(content, from)
		for level, name := range levels {
			if command == name && from > 0 && end > from {
				s.enterLine(String, level, from, end)
			}
		}
		switch command {
		case "newcommand", "renewcommand", "providecommand", "DeclareMathOperator", "newenvironment", "newtheorem":
			if from > 0 && end > from {
				s.enterLine(Function, len(levels), from, end)
			}
		}
	})
}

func lettersAt(b []byte) int {
	n := 0
	for n < len(b) && (isWordByte(b[n]) && b[n] < 0x80) {
		n++
	}
	return n
}

// braceEnd returns where the brace closes in which from stands.
func braceEnd(b []byte, from int) int {
	depth := 1
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(b)
}
