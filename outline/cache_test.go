package outline

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/thin"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// refused is a background that takes nothing.
func refused(func(context.Context)) bool { return false }

// TestDocumentIsAsFromNothing types in files of several languages and holds
// each outline against one that knows nothing of the text before.
func TestDocumentIsAsFromNothing(t *testing.T) {
	c := NewCache(refused)
	defer c.Close()
	edits := thin.Of(30, 10)
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
