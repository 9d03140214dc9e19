package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestCatalogKnowsWhatAnotherProgramWroteJustBefore: where the system tells in
// order, nothing that was written before a call is missed by it.
func TestCatalogKnowsWhatAnotherProgramWroteJustBefore(t *testing.T) {
	dir := t.TempDir()
	g, problems := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c := New()
	defer c.Close()
	for i := range 200 {
		if i%2 == 0 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txt", i)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Remove(filepath.Join(dir, fmt.Sprintf("%d.txt", i-1))); err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 - i%2; len(files.List) != want {
			t.Fatalf("after change %d there are %d files, want %d", i, len(files.List), want)
		}
		if l, err := c.List(t.Context(), g, g.Path(dir)); err != nil || len(l.Entries) != 1-i%2 {
			t.Fatalf("after change %d the folder lists %d (%v)", i, len(l.Entries), err)
		}
	}
	if s := c.State(); !s.Watching {
		t.Skip("nothing is watched here: " + s.Why)
	}
}

func BenchmarkFilesUnchanged(b *testing.B) {
	dir := b.TempDir()
	g, _ := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	c := New()
	defer c.Close()
	for b.Loop() {
		if _, err := c.Files(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}
