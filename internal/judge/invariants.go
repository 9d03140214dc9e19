package judge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// broken lists what an outline of f breaks of what holds for every outline.
func broken(ctx context.Context, f *file) []string {
	o, lines := outlineOf(ctx, f)
	var found []string
	for at, s := range o.Symbols {
		report := func(format string, args ...any) {
			found = append(found, fmt.Sprintf("%s:%d: %s %q: %s", f.name, s.StartLine, s.Kind, s.Name, fmt.Sprintf(format, args...)))
		}
		if !onCharacters(f.text, s) {
			report("spans %v and %v are out of bounds or cut characters", s.Span, s.NameSpan)
			continue
		}
		if at > 0 && s.Span.Start < o.Symbols[at-1].Span.Start {
			report("comes after %q, which begins behind it", o.Symbols[at-1].Name)
		}
		checkParent(o, at, report)
		checkLines(s, lines, report)
		if name := string(f.text[s.NameSpan.Start:s.NameSpan.End]); !nameFits(s.Name, name) {
			report("its name's span holds %q", name)
		}
	}
	return append(found, otherWithCRLF(ctx, f, o)...)
}

func onCharacters(text []byte, s outline.Symbol) bool {
	if s.Span.Start < 0 || s.Span.Start > s.NameSpan.Start || s.NameSpan.Start > s.NameSpan.End ||
		s.NameSpan.End > s.Span.End || s.Span.End > len(text) {
		return false
	}
	for _, at := range []int{s.Span.Start, s.Span.End, s.NameSpan.Start, s.NameSpan.End} {
		if at < len(text) && !utf8.RuneStart(text[at]) && utf8.Valid(text) {
			return false
		}
	}
	return true
}

func checkParent(o *outline.Outline, at int, report func(string, ...any)) {
	s := o.Symbols[at]
	if s.Parent < 0 {
		if s.Depth != 0 {
			report("has depth %d and no parent", s.Depth)
		}
		return
	}
	if s.Parent >= at {
		report("comes before its parent")
		return
	}
	parent := o.Symbols[s.Parent]
	if s.Depth != parent.Depth+1 {
		report("has depth %d below %q of %d", s.Depth, parent.Name, parent.Depth)
	}
	if s.Span.Start < parent.Span.Start || s.Span.End > parent.Span.End {
		report("%v is not inside its parent %q %v", s.Span, parent.Name, parent.Span)
	}
}

// checkLines compares lines with bytes.
func checkLines(s outline.Symbol, lines *lineTable, report func(string, ...any)) {
	start, end := lines.at(s.Span.Start), lines.at(max(s.Span.End-1, s.Span.Start))
	if s.StartLine != start || s.EndLine != end {
		report("lines %d to %d, its bytes are on %d to %d", s.StartLine, s.EndLine, start, end)
	}
	if s.HeadLine < s.StartLine || s.HeadLine > s.EndLine {
		report("head on line %d of %d to %d", s.HeadLine, s.StartLine, s.EndLine)
	}
}

// nameFits reports whether a name may be the text of its span: as written, or
// cleaned, shortened, or put together of several places.
func nameFits(name, written string) bool {
	written = strings.TrimPrefix(written, ":") // Ruby's symbols
	plain := plainName(written)
	return same(name, written) || strings.Contains(plainName(name), plain) || strings.HasPrefix(plain, strings.TrimSuffix(plainName(name), "…")) ||
		lastPart(written) == lastPart(name)
}

// otherWithCRLF compares the outline with that of the text with CRLF.
func otherWithCRLF(ctx context.Context, f *file, o *outline.Outline) []string {
	if bytes.IndexByte(f.text, '\r') >= 0 {
		return nil
	}
	other := *f
	other.text = bytes.ReplaceAll(f.text, []byte("\n"), []byte("\r\n"))
	crlf, _ := outlineOf(ctx, &other)
	was, is := summaries(o.Symbols), summaries(crlf.Symbols)
	if slices.Equal(was, is) {
		return nil
	}
	for at := range max(len(was), len(is)) {
		if at >= len(was) || at >= len(is) || was[at] != is[at] {
			return []string{fmt.Sprintf("%s: with CRLF %d symbols instead of %d; the first that differ: %q, was %q",
				f.name, len(is), len(was), atOrNone(is, at), atOrNone(was, at))}
		}
	}
	return nil
}

func atOrNone(list []string, at int) string {
	if at < len(list) {
		return list[at]
	}
	return "none"
}

func summaries(symbols []outline.Symbol) []string {
	var all []string
	for _, s := range symbols {
		all = append(all, fmt.Sprintf("%d-%d %s %s %s", s.StartLine, s.EndLine, s.Kind, s.Name, s.Container))
	}
	return all
}

// survivors deletes two lines in the middle of a function and tells how many
// of the other symbols are still there, and how many there were. A half-typed
// function must not hide what stands around it.
func survivors(ctx context.Context, f *file) share {
	o, lines := outlineOf(ctx, f)
	victim := victimOf(o.Symbols)
	if victim < 0 {
		return share{}
	}
	v := o.Symbols[victim]
	middle := (v.HeadLine + v.EndLine) / 2
	hurt := *f
	hurt.text = slices.Concat(f.text[:lines.start(middle)], f.text[lines.start(middle+2):])
	after, _ := outlineOf(ctx, &hurt)
	left := map[string]int{}
	for _, s := range after.Symbols {
		left[s.Kind.String()+s.Name]++
	}
	var alive share
	for at, s := range o.Symbols {
		if at == victim || s.Span.Start > v.Span.Start && s.Span.End <= v.Span.End || s.Kind == syntax.Variable {
			continue
		}
		alive.all++
		if key := s.Kind.String() + s.Name; left[key] > 0 {
			left[key]--
			alive.of++
		}
	}
	return alive
}

// victimOf picks a function of six lines or more, by the file's length so that
// every run picks the same.
func victimOf(symbols []outline.Symbol) int {
	var large []int
	for at, s := range symbols {
		if s.Kind.IsFunction() && s.EndLine-s.HeadLine >= 6 {
			large = append(large, at)
		}
	}
	if len(large) == 0 {
		return -1
	}
	return large[len(symbols)%len(large)]
}
