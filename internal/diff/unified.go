package diff

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Unified renders edits of t as a unified diff of the file at path, with the
// given number of unchanged lines around each change; "" when nothing
// changes. It expects what [Check] accepts.
//
// What it costs depends on the edits and hardly on the length of t: only the
// lines that they touch and the context are read.
func Unified(path string, t text.Text, edits []Edit, context int) string {
	context = max(0, context)
	changes := lineChanges(t, edits)
	if len(changes) == 0 {
		return ""
	}
	w := &unifiedWriter{t: t, total: countLines(t)}
	w.out.WriteString("--- " + fileName("a/", path) + "\n+++ " + fileName("b/", path) + "\n")
	for len(changes) > 0 {
		n := hunkLen(changes, context)
		w.hunk(changes[:n], context)
		changes = changes[n:]
	}
	return w.out.String()
}

// change replaces whole lines: old, which begins at the 0-based line of the
// text, by new. A last line may lack its line feed.
type change struct {
	line     int
	old, new string
}

func (c change) end() int { return c.line + linesIn(c.old) }

// lineChanges turns edits, which may begin and end anywhere in a line, into
// the least changes of whole lines, in order. At least one unchanged line lies
// between any two.
func lineChanges(t text.Text, edits []Edit) []change {
	var changes []change
	for len(edits) > 0 {
		r := regionOf(t, edits)
		edits = edits[r.edits:]
		line, done := lineAt(t, r.start), 0
		for _, e := range Compute(r.old, r.new) {
			line += linesIn(r.old[done:e.Span.Start])
			done = e.Span.Start
			changes = append(changes, change{line, r.old[e.Span.Start:e.Span.End], e.New})
		}
	}
	return changes
}

// region is the whole lines that some edits touch: how many edits, where in
// the text it starts, and its text before and after them.
type region struct {
	edits    int
	start    text.Offset
	old, new string
}

// regionOf returns the region of the first of edits and of those behind it
// whose lines touch the lines before. There must be at least one edit.
func regionOf(t text.Text, edits []Edit) region {
	start := lineStart(t, lineAt(t, edits[0].Span.Start))
	var b strings.Builder
	end, from, n := start, start, 0
	for _, e := range edits {
		if lineStart(t, lineAt(t, e.Span.Start)) > end {
			break
		}
		n++
		b.WriteString(t.Slice(text.Span{Start: from, End: e.Span.Start}))
		b.WriteString(e.New)
		from = e.Span.End
		end = lineStart(t, lineAt(t, from)+1)
	}
	b.WriteString(t.Slice(text.Span{Start: from, End: end}))
	return region{n, start, t.Slice(text.Span{Start: start, End: end}), b.String()}
}

// hunkLen returns how many of changes, from the first on, share a hunk: those
// whose contexts touch or overlap.
func hunkLen(changes []change, context int) int {
	n := 1
	for n < len(changes) && changes[n].line-changes[n-1].end() <= 2*context {
		n++
	}
	return n
}

type unifiedWriter struct {
	t     text.Text
	total int // lines of t
	moved int // lines that the hunks so far have added, less those removed
	out   strings.Builder
}

func (w *unifiedWriter) hunk(changes []change, context int) {
	from := max(0, changes[0].line-context)
	to := min(w.total, changes[len(changes)-1].end()+context)
	added := 0
	for _, c := range changes {
		added += linesIn(c.new) - linesIn(c.old)
	}
	fmt.Fprintf(&w.out, "@@ -%s +%s @@\n", lineRange(from, to-from), lineRange(from+w.moved, to-from+added))
	w.moved += added
	for _, c := range changes {
		w.context(from, c.line)
		w.lines('-', c.old)
		w.lines('+', c.new)
		from = c.end()
	}
	w.context(from, to)
}

func (w *unifiedWriter) context(from, to int) {
	w.lines(' ', w.t.Slice(text.Span{Start: lineStart(w.t, from), End: lineStart(w.t, to)}))
}

func (w *unifiedWriter) lines(mark byte, lines string) {
	for line := range strings.Lines(lines) {
		w.out.WriteByte(mark)
		w.out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			w.out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// lineRange renders count lines from the 0-based line start: an empty range
// is named by the line before it, and a count of 1 is left out.
func lineRange(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, count)
}

// GitLine returns the line with which git begins a file's part of a diff, of
// the file's names before and after.
func GitLine(from, to string) string {
	name := func(prefix, path string) string { return strings.TrimSuffix(fileName(prefix, path), "\t") }
	return "diff --git " + name("a/", from) + " " + name("b/", to) + "\n"
}

// fileName renders a path as git does: quoted like a C string when it holds
// what would end or alter the line, and otherwise with a tab behind a name
// with spaces, so that no reader takes its last word for a time.
func fileName(prefix, path string) string {
	name := prefix + strings.TrimPrefix(filepath.ToSlash(path), "/")
	special := func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }
	if strings.ContainsFunc(name, special) {
		return quote(name, special)
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

func quote(s string, special func(rune) bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case special(r):
			fmt.Fprintf(&b, "\\%03o", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// linesIn returns the number of lines of s, a last one without line feed
// included.
func linesIn(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// lineAt returns the 0-based line of offset o: the number of line feeds
// before it.
func lineAt(t text.Text, o text.Offset) int {
	return int(t.PositionAt(o, text.Coord{Lines: text.OnlyLF}).Line)
}

// lineStart returns the offset of a 0-based line, t.Len() behind the last.
func lineStart(t text.Text, line int) text.Offset {
	return t.OffsetAt(text.Position{Line: uint32(line)}, text.Coord{Lines: text.OnlyLF})
}

// countLines returns the number of lines of t, a last one without line feed
// included.
func countLines(t text.Text) int {
	n := lineAt(t, t.Len())
	if lineStart(t, n) < t.Len() {
		n++
	}
	return n
}
