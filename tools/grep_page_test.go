package tools

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestCut: a page that is cut is the longest beginning that fits, of at least
// one hit, without files that have none.
func TestCut(t *testing.T) {
	for range 5000 {
		var out grepOutput
		var sizes []int // of a hit; that of a file stands with its first
		for range 1 + rand.IntN(4) {
			var f grepFile
			frame := f.frame()
			for range 1 + rand.IntN(4) {
				h := grepHit{Text: strings.Repeat("x", rand.IntN(20)), Before: slices.Repeat([]string{"y"}, rand.IntN(5))}
				f.Hits = append(f.Hits, h)
				sizes = append(sizes, frame+hitFrame+len(h.Text)+2*len(h.Before))
				frame = 0
			}
			out.Files = append(out.Files, f)
		}
		most, want, sum := rand.IntN(700), 1, sizes[0]
		for want < len(sizes) && sum+sizes[want] <= most {
			sum += sizes[want]
			want++
		}
		took, have := out.cut(most), 0
		for _, f := range out.Files {
			if have += len(f.Hits); len(f.Hits) == 0 {
				t.Fatalf("%v cut to %d: a file without hits", sizes, most)
			}
		}
		if have != want || took != (want < len(sizes)) {
			t.Fatalf("%v cut to %d: %d hits, not %d; took %v", sizes, most, have, want, took)
		}
	}
}

// TestFileThatChanges: a file that is another one than was searched, or gone, is
// searched again, and in the end does not take the other files' hits with it.
func TestFileThatChanges(t *testing.T) {
	dir := t.TempDir()
	env := newTestEnv(t, dir)
	for _, name := range []string{"changed.go", "gone.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("package a\n\nfunc F() { needle() }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := env.Snapshot.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "gone.go" {
			_ = os.Remove(filepath.Join(dir, name))
		}
		found := []search.FileHits{{Path: p, Hash: text.HashBytes([]byte("another")), Count: 1, Hits: []search.Hit{{Line: 3, EndLine: 3, Column: 12, Text: "needle"}}}}
		out := make([]grepFile, 1)
		if err := (&grepping{env: env, symbols: true}).files(t.Context(), found, out); !buffers.IsChanged(err) {
			t.Errorf("%s: %v", name, err)
		}
		g := &grepping{env: env, symbols: true, last: true}
		if err := g.files(t.Context(), found, out); err != nil || len(out[0].Hits) != 1 || out[0].ContentHash != found[0].Hash.String() {
			t.Errorf("%s: %+v %v", name, out, err)
		}
		if notes := g.notes(out); len(notes) != 1 || !strings.Contains(notes[0], name) {
			t.Errorf("%s: %q", name, notes)
		}
	}
}
