package outline

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// refused is a background that takes nothing.
func refused(func(context.Context)) bool { return false }

// TestDocumentIsAsFromNothing types in files of several languages and holds
// each outline against one that knows nothing of the text before.
func TestDocumentIsAsFromNothing(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	edits := testscale.Of(30, 10)
	for _, language := range []string{"go", "python", "typescript", "java", "markdown", "json", "zig"} {
		files, err := filepath.Glob(filepath.Join(corpus, language, "*[!s]"))
		if err != nil || len(files) == 0 {
			t.Fatal(language, files, err)
		}
		src, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		l, now := syntax.ByName(language), text.New(string(src))
		r := rand.New(rand.NewPCG(9, uint64(len(src))))
		others := 0
		for range edits {
			at := now.FloorChar(r.IntN(now.Len()))
			now = now.Replace(text.Span{Start: at, End: at}, []string{"x", " ", "\n", "a b"}[r.IntN(4)])
			got, err := c.Document(t.Context(), "file:///"+files[0], l, now)
			if err != nil {
				t.Fatal(err)
			}
			want := New(t.Context(), l, now.Append(nil, text.Span{End: now.Len()}))
			if !reflect.DeepEqual(got.Symbols, want.Symbols) {
				others++
			}
		}
		if others > 2 { // the library recovers from broken text in more ways than one
			t.Errorf("%s: %d of %d outlines are not those from nothing", language, others, edits)
		}
	}
}

func TestDocumentsAreMadeOnce(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	l, now := syntax.ByName("go"), text.New("package p\n\nfunc f() {}\n")
	made := make([]*Outline, 8)
	var calls sync.WaitGroup
	for i := range made {
		calls.Go(func() { made[i], _ = c.Document(t.Context(), "a", l, now) })
	}
	calls.Wait()
	for _, o := range made {
		if o == nil || o != made[0] || len(o.Symbols) != 1 {
			t.Fatalf("outlines %v", made)
		}
	}
	c.Closed("a")
	if again, err := c.Document(t.Context(), "a", l, now); err != nil || again == made[0] {
		t.Errorf("a closed document is still known: %v %v", again, err)
	}
}

func TestFilesAreMadeOnce(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	loads := 0
	load := func() ([]byte, error) { loads++; return []byte("def f(): pass\n"), nil }
	key := FileKey{Hash: text.HashBytes([]byte("x")), Language: syntax.ByName("python")}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.File(gone, key, load); err == nil {
		t.Error("a cancelled call gave an outline")
	}
	loads = 0
	for range 3 {
		if o, err := c.File(t.Context(), key, load); err != nil || len(o.Symbols) != 1 {
			t.Fatal(o, err)
		}
	}
	if loads != 1 {
		t.Errorf("the text was loaded %d times", loads)
	}
}

// TestChangedWorksAhead: what was asked for once is made for the next text
// before somebody asks.
func TestChangedWorksAhead(t *testing.T) {
	var work []func(context.Context)
	c := NewCache(func(f func(context.Context)) bool { work = append(work, f); return true })
	defer c.Close()
	l, now := syntax.ByName("go"), text.New("package p\n")
	latest := func() (text.Text, bool) { return now, true }
	c.Changed("a", latest)
	if len(work) > 0 {
		t.Fatal("work for a document that nobody asked about")
	}
	if _, err := c.Document(t.Context(), "a", l, now); err != nil {
		t.Fatal(err)
	}
	now = text.New("package p\n\nfunc f() {}\n")
	c.Changed("a", latest)
	c.Changed("a", latest) // one is enough
	if len(work) != 1 {
		t.Fatalf("%d pieces of work", len(work))
	}
	work[0](t.Context())
	if o := c.documents["a"].last.Load().of(l, now); o == nil || len(o.Symbols) != 1 {
		t.Errorf("made ahead: %v", o)
	}
}

// TestMemoryIsGivenBack: what parsing freed is given back to the system once
// enough text was parsed, be it of closed files or of documents.
func TestMemoryIsGivenBack(t *testing.T) {
	works := 0
	c := NewCache(func(f func(context.Context)) bool { works++; f(t.Context()); return true })
	defer c.Close()
	l, src := syntax.ByName("go"), "package p\n"+strings.Repeat("\n// Comments parse fast.", trimAfter/60)
	file := func() {
		t.Helper()
		key := FileKey{Hash: text.HashBytes([]byte(src)), Language: l}
		src += "\n"
		if _, err := c.File(t.Context(), key, func() ([]byte, error) { return []byte(src), nil }); err != nil {
			t.Fatal(err)
		}
	}
	file()
	file()
	if works != 0 {
		t.Error("given back too early")
	}
	if _, err := c.Document(t.Context(), "a", l, text.New(src)); err != nil {
		t.Fatal(err)
	}
	if works != 1 {
		t.Errorf("given back %d times", works)
	}
	file()
	if works != 1 {
		t.Error("it does not begin anew")
	}
}

// TestCacheKeepsItsBudget: over the budget outlines go, but for those that are
// being made, which somebody waits for.
func TestCacheKeepsItsBudget(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	loads := 0
	load := func() ([]byte, error) { loads++; return []byte("def f(): pass\n"), nil }
	key := func(name string) FileKey {
		return FileKey{Hash: text.HashBytes([]byte(name)), Language: syntax.ByName("python")}
	}
	file := func(name string) {
		if o, err := c.File(t.Context(), key(name), load); err != nil || len(o.Symbols) != 1 {
			t.Fatal(o, err)
		}
	}
	file("a")
	file("b")
	if c.bytes == 0 || c.bytes%2 != 0 {
		t.Errorf("two like outlines count as %d bytes", c.bytes)
	}
	each := c.bytes / 2
	making, ours := c.enter(key("making"))
	if !ours {
		t.Fatal("somebody else makes it")
	}
	c.bytes = outlineBudget - each // as if there were many more
	file("c")
	if len(c.files) != 4 {
		t.Errorf("%d entries within the budget", len(c.files))
	}
	file("a") // is in use
	file("d")
	if len(c.files) != 4 || c.files[key("b")] != nil || c.bytes != outlineBudget {
		t.Errorf("%d entries and %d bytes, or another than the oldest went", len(c.files), c.bytes)
	}
	c.bytes += outlineBudget
	file("e")
	if len(c.files) != 1 || c.recent.Len() != 1 || c.files[key("making")] == nil {
		t.Errorf("%d entries are kept over the budget", len(c.files))
	}
	c.finish(making, New(t.Context(), syntax.ByName("python"), []byte("x = 1\n")))
	if making.outline == nil {
		t.Error("it was not made")
	}
}

// TestTreesKeepTheirBudget: the trees of the documents that nobody used for
// longest are freed, the one in use never; what was freed is made again.
func TestTreesKeepTheirBudget(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	l, now := syntax.ByName("go"), text.New("package p\n\nfunc f() {}\n")
	hasTree := func(key string) bool {
		d := c.documents[key]
		if (d.tree != nil) != (d.place != nil) || (d.tree != nil) != (d.weight > 0) {
			t.Errorf("%s: tree %v, place %v, weight %d", key, d.tree, d.place, d.weight)
		}
		return d.tree != nil
	}
	open := func(key string) {
		if _, err := c.Document(t.Context(), key, l, now); err != nil {
			t.Fatal(err)
		}
	}
	open("a")
	each := c.treeBytes
	open("b")
	open("c")
	if each <= 0 || c.treeBytes != 3*each || c.used.Len() != 3 || !hasTree("a") {
		t.Fatalf("three like trees of %d bytes count as %d", each, c.treeBytes)
	}
	c.treeBytes = treeBudget - each // as if there were larger ones
	open("d")
	if !hasTree("a") || c.used.Len() != 4 {
		t.Error("a tree went within the budget")
	}
	open("e")
	if hasTree("a") || !hasTree("b") || !hasTree("e") || c.treeBytes != treeBudget {
		t.Errorf("a %v, b %v, e %v, %d bytes", hasTree("a"), hasTree("b"), hasTree("e"), c.treeBytes)
	}
	err := c.Structure(t.Context(), "a", l, now, func(o *Outline, tree *syntax.Tree) {
		if len(o.Symbols) != 1 || tree == nil {
			t.Error("the tree is not made again")
		}
	})
	if err != nil || hasTree("b") {
		t.Error(err, "or the one used before was not freed")
	}
	err = c.Structure(t.Context(), "new", l, now, func(o *Outline, tree *syntax.Tree) {
		if len(o.Symbols) != 1 || tree == nil {
			t.Error("nothing is made for a document that nobody asked about")
		}
	})
	if err != nil {
		t.Error(err)
	}
	c.treeBytes += treeBudget
	open("f")
	if c.used.Len() != 1 || !hasTree("f") {
		t.Errorf("%d trees are kept over the budget", c.used.Len())
	}
	if _, err := c.Document(t.Context(), "json", syntax.ByName("json"), text.New("{}")); err != nil || c.used.Len() != 1 {
		t.Error("a document without a tree counts as one that has some", err)
	}
	f := c.documents["f"]
	c.Closed("f")
	if f.tree != nil || c.used.Len() != 0 || c.documents["f"] != nil {
		t.Error("a closed document keeps its tree")
	}
}

// TestChangedAgain: work is asked for anew once the last was begun or refused,
// and none is done for a document that is closed by then.
func TestChangedAgain(t *testing.T) {
	var work []func(context.Context)
	takes := false
	c := NewCache(func(f func(context.Context)) bool {
		if takes {
			work = append(work, f)
		}
		return takes
	})
	defer c.Close()
	l, now := syntax.ByName("go"), text.New("package p\n")
	isOpen := true
	latest := func() (text.Text, bool) { return now, isOpen }
	if _, err := c.Document(t.Context(), "a", l, now); err != nil {
		t.Fatal(err)
	}
	c.Changed("a", latest) // refused
	takes = true
	c.Changed("a", latest)
	if len(work) != 1 {
		t.Fatalf("%d pieces of work after one was refused", len(work))
	}
	work[0](t.Context())
	now = text.New("package p\n\nfunc f() {}\n")
	c.Changed("a", latest)
	if len(work) != 2 {
		t.Fatalf("%d pieces of work after one was done", len(work))
	}
	isOpen = false
	work[1](t.Context())
	if c.documents["a"].last.Load().of(l, now) != nil {
		t.Error("an outline was made of a closed document")
	}
}
