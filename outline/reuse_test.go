package outline

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// TestReuse edits the files of the corpus at random and holds the symbols that
// go on from those of the text before against all symbols made anew.
func TestReuse(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var went atomic.Int64
	t.Run("files", func(t *testing.T) {
		for _, file := range files {
			if !strings.HasSuffix(file, ".symbols") {
				t.Run(filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					went.Add(int64(goOnRandomly(t, file)))
				})
			}
		}
	})
	if n := went.Load(); n < int64(16*testscale.Of(*reuseEdits, fewReuseEdits)) {
		t.Errorf("only %d outlines went on from the one before", n)
	}
}

var reuseEdits = flag.Int("reuses", 30, "how many edits TestReuse makes in each file")

const fewReuseEdits = 6 // under -short

func goOnRandomly(t *testing.T, file string) (went int) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, r := syntax.ByName(filepath.Base(filepath.Dir(file))), rand.New(rand.NewPCG(12, uint64(len(src))))
	now := text.New(string(src))
	var tree *syntax.Tree
	defer func() { tree.Close() }()
	var last *made
	for range testscale.Of(*reuseEdits, fewReuseEdits) {
		start := now.FloorChar(r.IntN(now.Len() + 1))
		end := max(start, now.FloorChar(min(now.Len(), start+r.IntN(3))))
		now = now.Replace(text.Span{Start: start, End: end}, []string{"x", " ", "\n", "\r", "\r\n", "{", "}", "\n\n", "/* a", "# b\n"}[r.IntN(10)])
		b := now.Append(nil, text.Span{End: now.Len()})
		found, next, spent := syntax.Reparse(t.Context(), l, now, b, tree)
		spent.Close()
		tree = next
		o := outlineOf(l, b, found)
		if last.isBefore(l, found) {
			went++
			got := last.reuse(now, b, found)
			for i := range got.Symbols {
				if got.Symbols[i] != o.Symbols[i] {
					t.Fatalf("%s: after %v\n%+v\nnot\n%+v", file, now.ChangesSince(last.text), got.Symbols[i], o.Symbols[i])
				}
			}
			if !reflect.DeepEqual(got, o) {
				t.Fatalf("%s: after %v another outline", file, now.ChangesSince(last.text))
			}
		}
		last = &made{language: l, text: now, outline: o}
	}
	return went
}
