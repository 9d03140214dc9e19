package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestMoreIsToldOfOneFile: a page that ends within a file says so, whatever
// the page's size.
func TestMoreIsToldOfOneFile(t *testing.T) {
	f := newField(t)
	f.write("a.txt", text.Format{Encoding: text.EncodingUTF8}, strings.Repeat("x\n", 100_050))
	m, err := Compile(Pattern{Text: "x"})
	must(t, err)
	snap := f.snapshot()
	defer snap.Close()
	a, err := f.searcher(false).Search(t.Context(), snap, Request{Matcher: m, Max: 100_000})
	must(t, err)
	if !a.More || len(a.Files) != 1 || len(a.Files[0].Hits) != 100_000 {
		t.Errorf("more %v, %d files", a.More, len(a.Files))
	}
}

// TestLongestLine: lines that are too long are passed over, and told of; those
// beside them are found, with their places.
func TestLongestLine(t *testing.T) {
	f := newField(t)
	long := strings.Repeat("needle ", 3000)
	for _, content := range []string{
		"needle 1\n" + long + "\nneedle 3\n", long + "\nx\nneedle 3\n", "needle 1\nx\n" + long,
		"needle 1\n" + strings.Repeat("x\n", 2000) + long + "\n" + long + "\nneedle 2004",
	} {
		f.write("a.txt", text.Format{Encoding: text.EncodingUTF8}, content)
		m, err := Compile(Pattern{Text: `^\w+ \d+$`})
		must(t, err)
		snap := f.snapshot()
		s := f.searcher(false)
		s.sizes = sizes{whole: 100, piece: 1 << 10, part: 4 << 10, longest: 8 << 10}
		a, err := s.Search(t.Context(), snap, Request{Matcher: m, Max: 10})
		must(t, err)
		snap.Close()
		var want, got []string
		for i, line := range strings.Split(content, "\n") {
			if strings.HasPrefix(line, "needle ") && len(line) < 20 {
				want = append(want, fmt.Sprint(i+1, line))
			}
		}
		for _, h := range a.Files[0].Hits {
			got = append(got, fmt.Sprint(h.Line, h.Text))
		}
		if !slices.Equal(got, want) || len(a.Problems) != 1 {
			t.Errorf("%q, not %q; %v", got, want, a.Problems)
		}
	}
}
