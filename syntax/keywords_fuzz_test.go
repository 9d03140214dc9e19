package syntax

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// everyDialect returns the names of all dialects, in order.
func everyDialect() []string { return slices.Sorted(maps.Keys(dialects)) }

// FuzzKeywords gives any bytes to any dialect: which picks it.
func FuzzKeywords(f *testing.F) {
	names := everyDialect()
	for i, name := range names {
		f.Add(uint8(i), []byte("func f(a) {\n\tclass X:\r\n}}\r<a id='b'>\n# t\n===\nend\nx <- y :: z\n\"'`<<EOF\n(*"))
		for _, once := range []string{"<section<h2>0</h2 ", "<\xc1 id'0'", "a0\n\x91\x91\x91", "int x; signals::f()g(){", ":("} { // that failed
			f.Add(uint8(i), []byte(once))
		}
		files, err := filepath.Glob(filepath.Join("..", "testdata", "corpus", name, "*"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			if src, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, ".symbols") {
				f.Add(uint8(i), src[:min(len(src), 3000)])
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		name := names[int(which)%len(names)]
		checkKeywords(t, name, src, text.Span{End: len(src)})
		if lines := lineStarts(src); len(lines) > 2 {
			checkKeywords(t, name, src, text.Span{Start: lines[1], End: lines[len(lines)-1]})
		}
	})
}

// checkKeywords holds what is found against what is promised: whatever the
// text, definitions lie in it in order, children in their parents, and the
// work is proportional to its length.
func checkKeywords(t *testing.T, name string, src []byte, span text.Span) {
	t.Helper()
	s := newScanner(ByName(name), src, span)
	s.lexicon = lexicons()[name]()
	s.scan()
	found := s.finish()
	checkResult(t, src, Result{Definitions: found})
	for i := range found {
		d := &found[i]
		if utf8.Valid(src) && (!atCharacter(src, d.NameSpan.Start) || !atCharacter(src, d.NameSpan.End)) {
			t.Fatalf("%s: the name ends inside a character: %+v", name, d)
		}
		if d.Span.Start < span.Start || d.Span.End > span.End || d.NameSpan.Start < d.Span.Start || d.NameSpan.End > d.Span.End {
			t.Fatalf("%s: outside of what was asked for: %+v", name, d)
		}
		if i > 0 && d.Parent < i-1 && d.Span.Start < endOfSibling(found, i) {
			t.Fatalf("%s: %+v begins in what is before it", name, d)
		}
	}
	if most := 40*(span.Len()+100) + 600*len(found); s.steps > most {
		t.Fatalf("%s: %d steps for %d bytes", name, s.steps, span.Len())
	}
}

// endOfSibling returns where the definition before found[i] ends that is no
// ancestor of it, and does not have the same parent's extent.
func endOfSibling(found []Definition, i int) text.Offset {
	for j := i - 1; j >= 0 && j > found[i].Parent; j-- {
		if found[j].Parent == found[i].Parent {
			return found[j].Span.End
		}
	}
	return 0
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i := 0; i < len(src); i++ {
		if isLineEnd(src[i]) {
			i = afterLineEnd(src, i, len(src)) - 1
			starts = append(starts, i+1)
		}
	}
	return starts
}
