package syntax

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestKeywordsOverCorpus holds what keywords find in the corpus against what a
// person marked there. Where there is a grammar they stand in for it, so a
// share of the functions, types and modules is enough, and hardly any that are
// none.
func TestKeywordsOverCorpus(t *testing.T) {
	least := map[string]int{ // percent, where it is not 85
		"cue": 75, "groovy": 80, "javascript": 75, "javascriptreact": 70, "typescriptreact": 75, "scala": 80, "json": 95,
		"clojure": 75, "elisp": 80, "r": 75, "nix": 70, "erlang": 75,
		"dart": 100, "haskell": 100, "makefile": 100, "zig": 100,
	}
	dirs, err := os.ReadDir(filepath.Join("..", "testdata", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if dialects[dir.Name()] == nil {
			continue
		}
		share, known := least[dir.Name()]
		if !known {
			share = 85
		}
		all, missing, invented := compareCorpus(t, dir.Name())
		if 100*(all-len(missing)) < share*all {
			t.Errorf("%s: of %d are missing:\n%s", dir.Name(), all, strings.Join(missing, "\n"))
		}
		if 100*len(invented) > 10*all {
			t.Errorf("%s: are none, to %d that are:\n%s", dir.Name(), all, strings.Join(invented, "\n"))
		}
	}
}

// compareCorpus tells how many functions, types and modules a person marked in
// a language's files, those that are not found by name and first line, and
// those that are found and not marked.
func compareCorpus(t *testing.T, language string) (all int, missing, invented []string) {
	t.Helper()
	marks, err := filepath.Glob(filepath.Join("..", "testdata", "corpus", language, "*.symbols"))
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range marks {
		file := strings.TrimSuffix(mark, ".symbols")
		if strings.HasPrefix(filepath.Base(file), "modern") { // what grammars fail at
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		left, any := markedIn(t, mark)
		all += len(left)
		for _, d := range keywordDefinitions(Detect(file, src), src, text.Span{End: len(src)}) {
			at := strconv.Itoa(1+bytes.Count(src[:d.Span.Start], []byte("\n"))) + " " + d.Name
			if isWeighty(d.Kind) && !any[at] {
				invented = append(invented, filepath.Base(file)+":"+at)
			}
			delete(left, at)
		}
		for at := range left {
			missing = append(missing, filepath.Base(file)+":"+at)
		}
	}
	return all, missing, invented
}

// markedIn returns the first lines and names of what is marked: what is
// weighty, and all.
func markedIn(t *testing.T, file string) (weighty, any map[string]bool) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	weighty, any = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 3 {
			continue
		}
		first, _, _ := strings.Cut(f[0], "-")
		kind, _ := ParseKind(f[1])
		any[first+" "+f[2]] = true
		if isWeighty(kind) {
			weighty[first+" "+f[2]] = true
		}
	}
	return weighty, any
}

func isWeighty(k Kind) bool {
	return k.IsFunction() || k.IsType() || k == Module || k == Namespace || k == String
}

// TestLineEndsDoNotMatter holds that the same is found in a file whichever way
// its lines end.
func TestLineEndsDoNotMatter(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "corpus", "*", "*.symbols"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		file = strings.TrimSuffix(file, ".symbols")
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, end := range []string{"\n", "\r\n", "\r"} {
			with := bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r"), nil), []byte("\n"), []byte(end))
			got := listed(with, keywordDefinitions(Detect(file, src), with, text.Span{End: len(with)}))
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s with lines that end in %q:%s", file, end, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			return "\n" + strings.Join(g[min(i, len(g)):min(i+1, len(g))], "") + "\nnot\n" + w[i]
		}
	}
	return " more"
}
