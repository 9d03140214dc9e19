package search

import (
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
