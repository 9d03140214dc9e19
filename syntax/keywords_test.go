package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// told returns what is found in src, a definition a line.
func told(language string, src []byte) string {
	s := newScanner(ByName(language), src, text.Span{End: len(src)})
	s.lexicon = lexicons()[language]()
	s.scan()
	return listed(src, s.finish())
}

func listed(src []byte, found []Definition) string {
	starts := lineStarts(src)
	line := func(o text.Offset) int {
		n := 0
		for n < len(starts) && starts[n] <= o {
			n++
		}
		return n
	}
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "\n%d-%d %s %s", line(d.Span.Start), line(max(d.Span.Start, d.Span.End-1)), d.Kind, d.Name)
		if d.Container != "" {
			b.WriteString(" in " + d.Container)
		}
	}
	return b.String()
}

// TestKeywords holds what is found in small texts against what a person finds,
// whichever way lines end.
func TestKeywords(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "keywords", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) { checkText(t, file, strings.TrimPrefix(name, "unknown")) })
	}
}

// checkText reads a text in a language, and what a person finds in it, a
// definition a line: "first-last kind name in container".
func checkText(t *testing.T, file, language string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source, want, found := strings.Cut(string(b), "-- found --")
	if !found {
		t.Fatal("what is to be found is not there")
	}
	want = strings.TrimSuffix(want, "\n")
	for _, end := range []string{"\n", "\r\n", "\r"} {
		src := []byte(strings.ReplaceAll(source, "\n", end))
		if got := told(language, src); got != want {
			t.Errorf("lines that end in %q:\ngot%s\nwant%s", end, got, want)
			return
		}
	}
}

// TestDialectsAreComplete holds the dialects against the languages: one with a
// grammar may do without.
func TestDialectsAreComplete(t *testing.T) {
	for _, l := range slices.Concat(languages, plainLanguages) {
		if l.rules == nil && dialects[l.Name] == nil {
			t.Errorf("%s has no dialect", l.Name)
		}
	}
	for name := range dialects {
		if name != unknownDialect && ByName(name) == nil {
			t.Errorf("there is no language %s", name)
		}
		if !isTested(dialects[name]) {
			t.Errorf("%s is not tested", name)
		}
	}
}

// isTested tells that there is a text in a language with this dialect.
func isTested(d *dialect) bool {
	for name := range dialects {
		_, inCorpus := os.Stat(filepath.Join("..", "testdata", "corpus", name))
		_, hasText := os.Stat(filepath.Join("testdata", "keywords", name+".txt"))
		if dialects[name] == d && (name == unknownDialect || inCorpus == nil || hasText == nil) {
			return true
		}
	}
	return d == nothing
}
