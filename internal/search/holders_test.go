package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
)

// TestMayHold: no file is passed over that holds all words, wherever in it they
// stand, and of those that lack one the index knows.
func TestMayHold(t *testing.T) {
	r := source(1)
	contents := randomFiles(r, 40)
	contents["far.go"] = "package Alpha\n" + strings.Repeat("// a line of no words\n", 5000) + "func omega()\n"
	contents["lacks.go"] = "package alpha\n"
	d := newDisk(t, contents)
	x := d.indexer()
	built(t, x, d.list())
	cat := catalog.New()
	defer cat.Close()
	s, files := New(cat, x), d.list()
	words := []string{"alpha", "omega", "func", "a", "ab", "foo", "bar", "err", "return", "x"}
	for range 200 {
		asked := []string{words[r.IntN(len(words))], words[r.IntN(len(words))]}
		may, err := s.MayHold(t.Context(), files, asked)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files.List {
			lower := strings.ToLower(contents[f.Rel])
			if strings.Contains(lower, asked[0]) && strings.Contains(lower, asked[1]) && !strings.Contains(lower, "\x00") && !may[i] {
				t.Fatalf("%q passes over %s", asked, f.Rel)
			}
		}
	}
	may, _ := s.MayHold(t.Context(), files, []string{"alpha", "omega"})
	for name, want := range map[string]bool{"far.go": true, "lacks.go": false} {
		i := slices.IndexFunc(files.List, func(f catalog.FileEntry) bool { return f.Rel == name })
		if may[i] != want {
			t.Errorf("%s: %v", name, may[i])
		}
	}
}
