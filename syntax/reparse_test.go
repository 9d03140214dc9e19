//go:build cgo

package syntax

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestReparse edits a file of every language at random and holds each outline
// that is made from the earlier tree against one made from nothing.
func TestReparse(t *testing.T) {
	for name := range grammars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := ByName(name)
			if l == nil {
				t.Skip("no such language yet")
			}
			for _, file := range corpusFiles(t, name) {
				reparseRandomly(t, l, file)
			}
		})
	}
}

var reparseEdits = flag.Int("reparses", 20, "how many edits TestReparse makes in each file")

// recoveries is how many of a file's edits may end in another recovery from
// broken syntax than a parse from nothing: that is the library's, and heals
// with the next edit there.
const recoveries = 3

func reparseRandomly(t *testing.T, l *Language, file string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, uint64(len(src))))
	now := text.New(string(src))
	var tree *Tree
	defer func() { tree.Close() }()
	others := 0
	for range testscale.Of(*reparseEdits, 5) {
		now = editRandomly(r, now)
		b := now.Append(nil, text.Span{End: now.Len()})
		got, next, spent := Reparse(t.Context(), l, now, b, tree)
		spent.Close()
		tree = next
		if want := Analyze(t.Context(), l, b); !reflect.DeepEqual(got.Definitions, want.Definitions) {
			others++
		}
	}
	if others > recoveries {
		t.Errorf("%s: %d outlines are not those of a fresh parse", file, others)
	}
}

// editRandomly changes up to three places of t, as typing, deleting and
// pasting do.
func editRandomly(r *rand.Rand, t text.Text) text.Text {
	pieces := []string{"x", "", "\n", " ", "foo", "é", "\n\n", "1"}
	for range 1 + r.IntN(3) {
		start := t.FloorChar(r.IntN(t.Len() + 1))
		end := start
		if r.IntN(3) == 0 {
			end = max(start, t.FloorChar(min(t.Len(), start+r.IntN(20))))
		}
		t = t.Replace(text.Span{Start: start, End: end}, pieces[r.IntN(len(pieces))])
	}
	return t
}

// TestReparseCancelled: an outline that was cancelled leaves a tree to go on
// from.
func TestReparseCancelled(t *testing.T) {
	l := ByName("go")
	first := text.New("package p\n\nfunc a() {}\n")
	_, tree, _ := Reparse(t.Context(), l, first, bytesOf(first), nil)
	second := first.Replace(text.Span{Start: first.Len(), End: first.Len()}, "\nfunc b() {}\n")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	r, tree, _ := Reparse(cancelled, l, second, bytesOf(second), tree)
	if tree == nil || r.Method == ByGrammar {
		t.Fatalf("cancelled: %s by %s, tree %v", r.Reason, r.Method, tree)
	}
	third := second.Replace(text.Span{End: 7}, "package")
	r, tree, spent := Reparse(t.Context(), l, third, bytesOf(third), tree)
	defer spent.Close()
	defer tree.Close()
	if len(r.Definitions) != 2 || r.Definitions[1].Name != "b" {
		t.Errorf("after a cancelled one: %+v", r.Definitions)
	}
}

func bytesOf(t text.Text) []byte { return t.Append(nil, text.Span{End: t.Len()}) }
