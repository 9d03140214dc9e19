//go:build linux && !race && !asan

package outline

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

var edits = flag.Int("edits", 3000, "how many edits TestEditsLeakNothing makes")

// TestEditsLeakNothing edits a document of 50 KB many times and has it outlined
// each time. Trees, parsers and walks are C memory, which the
// garbage collector does not see, so the process is measured as a whole.
func TestEditsLeakNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("what leaks shows after many edits")
	}
	const warm, allowed = 1000, 12 << 20 // when the collector ran last moves it by some MB
	src, err := os.ReadFile(corpus + "/go/beehive.go")
	if err != nil {
		matches, _ := os.ReadDir(corpus + "/go")
		t.Fatal(err, matches)
	}
	now := text.New(string(bytes.Repeat(src, 50<<10/len(src)+1)))
	l := syntax.ByName("go")
	c := NewCache(func(f func(context.Context)) bool { f(t.Context()); return true })
	defer c.Close()
	r := rand.New(rand.NewPCG(7, 8))
	before, typed := 0, 0
	for i := range *edits {
		if i == warm {
			before = resident(t)
		}
		if i%2 == 0 { // type a character, and take it back: the text stays one that parses
			typed = now.FloorChar(r.IntN(now.Len()))
			now = now.Replace(text.Span{Start: typed, End: typed}, "x")
		} else {
			now = now.Replace(text.Span{Start: typed, End: typed + 1}, "")
		}
		if o, err := c.Document(t.Context(), "file:///a.go", l, now); err != nil || o.Method != syntax.ByGrammar {
			t.Fatalf("edit %d: %v, %v", i, err, o)
		}
	}
	if grown := resident(t) - before; grown > allowed {
		t.Errorf("%d edits left %d KiB behind", *edits-warm, grown>>10)
	} else {
		t.Logf("%d edits, %d KiB more", *edits-warm, grown>>10)
	}
}

// TestParsesLeakNothing parses a short text many times, in a language whose
// grammar as published leaves 24 KB behind each time (syntax/mended.c). What
// leaks less, the address sanitizer finds (make asan).
func TestParsesLeakNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("what leaks shows after many parses")
	}
	const parses, allowed = 3000, 12 << 20
	l, src := syntax.ByName("svelte"), []byte("<p>{x}</p>\n")
	New(t.Context(), l, src) // makes the grammar
	before := resident(t)
	for range parses {
		New(t.Context(), l, src)
	}
	if grown := resident(t) - before; grown > allowed {
		t.Errorf("%d parses left %d KiB behind", parses, grown>>10)
	}
}

// resident returns how much memory the process has in use, in bytes.
func resident(t *testing.T) int {
	debug.FreeOSMemory()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(b)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
