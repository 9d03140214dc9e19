package locate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// definition is a symbol in a text that is edited.
type definition struct {
	*structure
	text        text.Text
	which       int
	span        text.Span
	first, last int       // its lines, 0-based, inclusive
	lines       text.Span // the lines without the last one's end
	indent      string    // before it on its first line
	rest        string    // behind it on its last line
}

func newDefinition(t text.Text, s *structure, which int) *definition {
	sym := &s.Symbols[which]
	d := &definition{structure: s, text: t, which: which, span: sym.Span, first: sym.StartLine - 1, last: sym.EndLine - 1}
	d.lines = text.Span{Start: t.LineStart(d.first), End: t.LineStart(d.last + 1)}
	d.lines.End -= len(lineEnd(t, d.lines.End))
	d.lines.End = max(d.lines.End, d.span.End)
	d.indent = t.Slice(text.Span{Start: d.lines.Start, End: d.span.Start})
	d.rest = t.Slice(text.Span{Start: d.span.End, End: d.lines.End})
	return d
}

// lineEnd returns the line end before a place, "" where none is.
func lineEnd(t text.Text, at text.Offset) string {
	tail := t.Slice(text.Span{Start: t.FloorChar(max(0, at-2)), End: at})
	_, end := wording.SplitEnd([]byte(tail))
	return string(end)
}

// alone reports whether the definition has its lines for itself, but for blanks,
// a separator and a comment.
func (d *definition) alone() bool {
	if strings.Trim(d.indent, " \t\f") != "" {
		return false
	}
	rest := strings.TrimLeft(d.rest, " \t,;")
	return rest == "" || d.beginsComment(rest)
}

func (d *definition) beginsComment(s string) bool {
	if d.language == nil {
		return strings.HasPrefix(s, "#") || strings.HasPrefix(s, "//")
	}
	c := d.language.Comments
	begins := func(mark string) bool { return strings.HasPrefix(s, mark) }
	return slices.ContainsFunc(c.Line, begins) || slices.ContainsFunc(c.Block, func(b [2]string) bool {
		before, closed := strings.CutSuffix(strings.TrimRight(s, " \t"), b[1])
		return begins(b[0]) && closed && !strings.Contains(before, b[1])
	})
}

func (d *definition) sharesLines() error {
	sym := &d.Symbols[d.which]
	return fault.New(fault.InvalidParams, "%q shares line %d with other text", wording.Shortened(d.Path(d.which)), d.last+1).
		Advise("Edit it by old_text.").With("start_line", sym.StartLine).With("end_line", sym.EndLine)
}

// twin returns the name of another symbol that the same text declares.
func (d *definition) twin() string {
	for i := range d.Symbols {
		if s := &d.Symbols[i]; i != d.which && s.Span == d.span && s.Parent == d.Symbols[d.which].Parent {
			return s.Name
		}
	}
	return ""
}

// lostLead tells of the comments and attributes above the definition, where the
// new text has none.
func (d *definition) lostLead(fresh string) string {
	sym := &d.Symbols[d.which]
	begin, _ := utf8.DecodeRuneInString(strings.TrimLeft(fresh, " \t"))
	was, _ := utf8.DecodeRuneInString(d.text.Slice(d.span))
	if sym.HeadLine == sym.StartLine || begin == was || !unicode.IsLetter(begin) {
		return ""
	}
	return fmt.Sprintf("%s above it went with it", wording.Plural(sym.HeadLine-sym.StartLine, "line of comments or attributes", "lines of comments or attributes"))
}

// replace returns the edit that puts new text in the place of the definition and
// of the comment behind it. The separator behind it stays.
func (d *definition) replace(fresh string) diff.Edit {
	if sep := d.separator(d.which); sep != "" {
		fresh = d.separated(fresh, sep)
	}
	return diff.Edit{Span: d.lines, New: AdaptLines(d.text, d.lines, fresh)}
}

// remove returns the edits that take the definition away, with the blank lines
// behind it or, where none are, before it.
func (d *definition) remove() []diff.Edit {
	from, to := d.first, d.last+1
	for to < d.text.Lines() && d.blank(to) {
		to++
	}
	for to == d.last+1 && from > 0 && d.blank(from-1) {
		from--
	}
	edits := []diff.Edit{{Span: text.Span{Start: d.text.LineStart(from), End: d.text.LineStart(to)}}}
	if before, ok := d.sibling(-1); ok && d.isJSON() && d.separator(d.which) == "" && d.separator(before) != "" {
		end := d.Symbols[before].Span.End
		edits = append(edits, diff.Edit{Span: text.Span{Start: end, End: end + 1}})
	}
	return edits
}

// insert returns the edits that put new text beside the definition, as far from
// it as its neighbours are.
func (d *definition) insert(fresh string, place PlaceMode) []diff.Edit {
	gap := strings.Repeat("\n", d.gap(place, !strings.Contains(fresh, "\n")))
	var edits []diff.Edit
	if d.separates() {
		last := place == PlaceAfter && d.separator(d.which) != ","
		switch {
		case !last:
			fresh = d.separated(fresh, ",")
		case d.isJSON():
			fresh = strings.TrimSuffix(fresh, ",")
		}
		if last {
			edits = append(edits, diff.Edit{Span: text.Span{Start: d.span.End, End: d.span.End}, New: ","})
		}
	}
	at := d.lines.Start
	switch {
	case place == PlaceBefore:
		fresh += "\n" + gap
	case d.last+1 < d.text.Lines() || lineEnd(d.text, d.text.Len()) != "":
		at, fresh = d.text.LineStart(d.last+1), gap+fresh+"\n"
	default: // the last line has no end
		at, fresh = d.text.Len(), "\n"+gap+fresh
	}
	span := text.Span{Start: at, End: at}
	return append(edits, diff.Edit{Span: span, New: AdaptLines(d.text, span, fresh)})
}

// isJSON reports whether a separator behind the last member is an error.
func (d *definition) isJSON() bool { return d.Method == outline.ByJSON }

// separator returns what stands right behind a symbol to divide it from the next
// one: a comma, a semicolon, or nothing.
func (d *definition) separator(which int) string {
	end := d.Symbols[which].Span.End
	behind := d.text.Slice(text.Span{Start: end, End: min(d.text.Len(), end+1)})
	if behind == "," || behind == ";" {
		return behind
	}
	return ""
}

// separates reports whether the definition and its neighbours are divided by
// commas.
func (d *definition) separates() bool {
	before, is := d.sibling(-1)
	return d.isJSON() || d.separator(d.which) == "," || is && d.separator(before) == ","
}

// separated returns s with a separator at its end, before a comment there.
func (d *definition) separated(s, sep string) string {
	from := strings.LastIndexByte(s, '\n') + 1
	code := s
	for at := from; at < len(s); at++ {
		if (s[at] == ' ' || s[at] == '\t') && d.beginsComment(s[at+1:]) {
			code = strings.TrimRight(s[:at], " \t")
			break
		}
	}
	if strings.HasSuffix(code, sep) {
		return s
	}
	return code + sep + s[len(code):]
}

// blank reports whether a line holds nothing, or blanks alone.
func (d *definition) blank(line int) bool {
	const most = 1 << 10 // a line of more blanks is none
	start, end := d.text.LineStart(line), d.text.LineStart(line+1)
	return end-start < most && strings.Trim(d.text.Slice(text.Span{Start: start, End: end}), " \t\f\r\n") == ""
}

// sibling returns the next symbol beside the definition in a direction, -1 or 1,
// that shares no line with it.
func (d *definition) sibling(step int) (int, bool) {
	me := &d.Symbols[d.which]
	for i := d.which + step; i >= 0 && i < len(d.Symbols); i += step {
		s := &d.Symbols[i]
		switch {
		case s.Depth < me.Depth:
			return 0, false
		case s.Parent == me.Parent && (s.EndLine < me.StartLine || s.StartLine > me.EndLine):
			return i, true
		}
	}
	return 0, false
}

// gap returns how many blank lines new text has between itself and the
// definition: as many as definitions beside each other have, of which one is
// longer than a line, or of a line each.
func (d *definition) gap(place PlaceMode, line bool) int {
	me := &d.Symbols[d.which]
	line = line && me.StartLine == me.EndLine && me.Kind != syntax.String
	if me.Kind == syntax.Key || me.Kind == syntax.Object || me.Kind == syntax.Array {
		line = me.StartLine == me.EndLine // a key is no farther from others for its size
	}
	after, hasAfter := d.sibling(1)
	before, hasBefore := d.sibling(-1)
	pairs := [][2]int{{d.which, after}, {before, d.which}}
	have := []bool{hasAfter, hasBefore}
	if place == PlaceBefore {
		slices.Reverse(pairs)
		slices.Reverse(have)
	}
	for n, pair := range pairs {
		if have[n] {
			if gap, ok := d.between(pair, line); ok {
				return gap
			}
		}
	}
	last := -1
	for i := range d.Symbols {
		if d.Symbols[i].Parent != me.Parent {
			continue
		}
		if last >= 0 {
			if gap, ok := d.between([2]int{last, i}, line); ok {
				return gap
			}
		}
		last = i
	}
	if line {
		return 0
	}
	return 1
}

// between returns how many blank lines are between two symbols, where nothing
// else is. line tells that both have to be of one line, else one must not be.
func (d *definition) between(pair [2]int, line bool) (gap int, ok bool) {
	a, b := &d.Symbols[pair[0]], &d.Symbols[pair[1]]
	if line != (a.StartLine == a.EndLine && b.StartLine == b.EndLine) || b.StartLine <= a.EndLine {
		return 0, false
	}
	for at := a.EndLine; at < b.StartLine-1; at++ {
		if gap++; gap > maxGap || !d.blank(at) {
			return 0, false
		}
	}
	return gap, true
}

// maxGap is how many blank lines are taken for a habit at most.
const maxGap = 4

// trimBlankLines returns s without the blank lines at its beginning and its end,
// and without its last line end.
func trimBlankLines(s string) string {
	lines := splitLines(s)
	blank := func(l splitLine) bool { return strings.Trim(l.body, " \t") == "" }
	first := slices.IndexFunc(lines, func(l splitLine) bool { return !blank(l) })
	if first < 0 {
		return ""
	}
	for blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	lines[len(lines)-1].end = ""
	return joinLines(lines[first:])
}

func joinLines(lines []splitLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.body + l.end)
	}
	return b.String()
}

// indented returns the lines of a definition in the indentation of the one that
// it replaces or stands beside.
func (d *definition) indented(fresh string) string {
	lines := splitLines(fresh)
	has := leadingBlanks(lines[0].body)
	if has == d.indent {
		return fresh
	}
	adapt := lines
	if has == "" && beginsBare(lines, d.indent) {
		adapt = lines[:1]
	}
	for n := range adapt {
		if body, ok := strings.CutPrefix(adapt[n].body, has); ok && strings.Trim(body, " \t") != "" {
			adapt[n].body = d.indent + body
		}
	}
	return joinLines(lines)
}

// beginsBare reports whether the first of lines alone lacks the indentation that
// the others have, as when it was written from its first character on: they all
// are deeper, or the last one closes what the first one opened.
func beginsBare(lines []splitLine, indent string) bool {
	last, deeper, block := "", true, false
	for _, line := range lines[1:] {
		rest, ok := strings.CutPrefix(line.body, indent)
		switch {
		case strings.Trim(line.body, " \t") == "":
			continue
		case !ok:
			return false
		}
		deeper = deeper && leadingBlanks(rest) != ""
		block = block || strings.HasSuffix(rest, ":")
		last = rest
	}
	block = block || strings.HasSuffix(strings.TrimRight(lines[0].body, " \t"), ":")
	closes := last != "" && (strings.ContainsAny(last[:1], "})]") || strings.HasPrefix(last, "end"))
	return last != "" && (deeper || closes && !block)
}
