package locate

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// indented finds wanted in a text, line by line, where all lines of the one
// are indented deeper than those of the other by the same blanks; new is
// re-indented likewise. Both have no blanks at line ends. The first line of
// wanted may lack its indentation, as when it was copied from its first
// character on.
func indented(in *flatText, wanted, new string) []found {
	w := wantedLines{lines: strings.Split(wanted, "\n"), left: maxComparisons}
	if n := len(w.lines); n > 1 && w.lines[n-1] == "" {
		w.lines, w.ended = w.lines[:n-1], true
	}
	lines := in.split()
	for _, w.bare = range []bool{false, true} {
		if !w.prepare() {
			continue
		}
		if places := w.find(in, lines, new); len(places) > 0 {
			return places
		}
	}
	return nil
}

// wantedLines is text to be found whatever its indentation.
type wantedLines struct {
	lines []string
	ended bool // the last line's end belongs to it
	bare  bool // the first line's indentation does not count

	anchor int    // the first line that is not blank and whose indentation counts
	common string // the blanks that those lines begin with

	left int // lines that may still be compared
}

// prepare reports whether there is something to find.
func (w *wantedLines) prepare() bool {
	w.anchor, w.common = -1, ""
	for i, line := range w.lines {
		if line == "" || i == 0 && w.bare {
			continue
		}
		if w.anchor < 0 {
			w.anchor, w.common = i, leadingBlanks(line)
		}
		for !strings.HasPrefix(line, w.common) {
			w.common = w.common[:len(w.common)-1]
		}
	}
	return w.anchor >= 0 && (!w.bare || w.lines[0] != "")
}

// find finds nothing where it would have to compare too many lines.
func (w *wantedLines) find(in *flatText, lines []string, new string) (places []found) {
	offset := 0 // of lines[first] in the text
	for first := 0; first+len(w.lines) <= len(lines) && len(places) <= maxCounted; first++ {
		if indent, ok := w.match(lines[first : first+len(w.lines)]); ok {
			places = append(places, found{w.span(in, lines[first:], offset), w.reindent(new, indent)})
		}
		if w.left < 0 {
			return nil
		}
		offset += len(lines[first]) + 1
	}
	return places
}

// match reports whether lines are the wanted ones, and what stands in the place
// of their common indentation.
func (w *wantedLines) match(lines []string) (indent string, ok bool) {
	indent, ok = strings.CutSuffix(lines[w.anchor], w.lines[w.anchor][len(w.common):])
	if !ok || leadingBlanks(indent) != indent {
		return "", false
	}
	for i, want := range w.lines {
		have := lines[i]
		w.left--
		switch {
		case i == 0 && w.bare:
			ok = strings.TrimLeft(have, " \t") == strings.TrimLeft(want, " \t")
		case want == "":
			ok = have == ""
		default:
			rest, has := strings.CutPrefix(have, indent)
			ok = has && rest == want[len(w.common):]
		}
		if !ok {
			return "", false
		}
	}
	return indent, true
}

// span returns the place of the wanted lines, which lines begins with, in the
// original text.
func (w *wantedLines) span(in *flatText, lines []string, offset int) text.Span {
	s := text.Span{Start: offset, End: offset - 1}
	for _, line := range lines[:len(w.lines)] {
		s.End += len(line) + 1
	}
	if w.ended {
		s.End = min(s.End+1, len(in.text))
	}
	if w.bare {
		s.Start += len(leadingBlanks(lines[0]))
	}
	return text.Span{Start: in.origin(s.Start), End: in.origin(s.End)}
}

// reindent gives the lines of new the indentation that was found instead of
// the wanted one. A line that does not have that stays as it is.
func (w *wantedLines) reindent(new, indent string) string {
	var b strings.Builder
	first := true
	for line := range strings.Lines(new) {
		rest, has := strings.CutPrefix(line, w.common)
		switch {
		case first && w.bare:
			b.WriteString(strings.TrimPrefix(line, leadingBlanks(w.lines[0])))
		case !has || strings.TrimLeft(line, " \t\r\n") == "":
			b.WriteString(line)
		default:
			b.WriteString(indent + rest)
		}
		first = false
	}
	return b.String()
}

func leadingBlanks(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }
