package catalog

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestFilesBelow: what a list says of a folder or file, against looking at
// every entry.
func TestFilesBelow(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	g, _ := workspace.NewGate(nil, []workspace.Folder{{Path: one}, {Path: two}}, settings.Default())
	rels := []string{"a", "b/a", "b/c/d", "b/c.d", "b-", "bc/x", "c/é", "c/e/f"}
	for range 500 {
		f := &Files{gate: g}
		for root := range 2 {
			for _, rel := range rels {
				if rand.IntN(2) == 0 {
					f.List = append(f.List, FileEntry{Root: root, Rel: rel})
				}
			}
		}
		slices.SortFunc(f.List, placeOrder)
		root := rand.IntN(2)
		at := []string{"", "a", "b", "b/c", "c", "c/e", "bc", "nowhere"}[rand.IntN(8)]
		p := g.Path(filepath.Join(g.Roots()[root].Path, at))
		start, end := f.Below(p)
		for i, e := range f.List {
			below := e.Root == root && (at == "" || e.Rel == at || strings.HasPrefix(e.Rel, at+"/"))
			if got := start <= i && i < end; got != below {
				t.Fatalf("%q in %v: [%d,%d)", at, f.List, start, end)
			}
			if f.Find(f.Path(i)) != i {
				t.Fatalf("%v is not found at %d", e, i)
			}
		}
		if at == "nowhere" && f.Find(p) != -1 {
			t.Fatal("a file is found that is not there")
		}
	}
}

// TestProblemsBelow: a folder's problems are its own and those below it.
func TestProblemsBelow(t *testing.T) {
	var files Files
	for _, at := range []string{"a", "a/b/c", "ab", "b"} {
		files.Problems = append(files.Problems, fault.New(fault.PermissionDenied, "closed").At(at))
	}
	for folder, want := range map[string]int{".": 4, "a": 2, "a/b": 1, "a/b/c": 1, "ab": 1, "c": 0} {
		if got := files.ProblemsBelow(workspace.Path{Rel: folder}); len(got) != want {
			t.Errorf("%s: %v", folder, got)
		}
	}
}
