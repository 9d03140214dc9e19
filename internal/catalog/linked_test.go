//go:build linux || darwin

package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestLinkedFromOutside: what is written through a name of a file that lies
// outside of the workspace is known, though the system does not tell of it.
func TestLinkedFromOutside(t *testing.T) {
	outside := disktest.Tree(t, map[string]string{"far.go": "one"})
	dir := disktest.Tree(t, map[string]string{"a/b.go": "x", "c/d.go": "y"})
	far, near := filepath.Join(outside, "far.go"), filepath.Join(dir, "a", "near.go")
	disktest.Must(t, os.Link(far, near))
	g := gatetest.New(t, nil, dir)
	both(t, func(t *testing.T, c *Catalog, now func(*workspace.Gate, string) *Files) {
		disktest.Must(t, os.WriteFile(far, []byte("one"), 0o600))
		size := func(f *Files) int64 { return f.List[1].ID.Size }
		before := now(g, dir)
		checkRels(t, "before", before, "a/b.go a/near.go c/d.go")
		p, err := g.Resolve("a", func(string) bool { return true })
		disktest.Must(t, err)
		_, err = c.List(t.Context(), g, p)
		disktest.Must(t, err)
		for i := range 3 {
			disktest.Must(t, os.WriteFile(far, fmt.Appendf(nil, "more%0*d", i, 0), 0o600))
			want := int64(4 + max(i, 1))
			if f := listFiles(t, c, g); size(f) != want {
				t.Errorf("write %d: the list has %d bytes, want %d", i, size(f), want)
			}
			l, err := c.List(t.Context(), g, p)
			disktest.Must(t, err)
			if got := l.Entries[1].ID.Size; got != want {
				t.Errorf("write %d: the folder's listing has %d bytes, want %d", i, got, want)
			}
		}
		if f := listFiles(t, c, g); listFiles(t, c, g) != f {
			t.Error("another list, though nothing was written")
		}
		disktest.Must(t, os.Remove(far))
		checkRels(t, "its other name is gone", listFiles(t, c, g), "a/b.go a/near.go c/d.go")
		disktest.Must(t, os.Link(near, far))
	})
}

// TestLinkedLater: a name that an outside program made later counts from the
// next look at the file.
func TestLinkedLater(t *testing.T) {
	outside := disktest.Tree(t, nil)
	dir := disktest.Tree(t, map[string]string{"near.go": "one"})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	listFiles(t, c, g)
	far, near := filepath.Join(outside, "far.go"), filepath.Join(dir, "near.go")
	disktest.Must(t, os.Link(near, far))
	disktest.Must(t, os.WriteFile(near, []byte("12"), 0o600))
	listFiles(t, c, g)
	disktest.Must(t, os.WriteFile(far, []byte("123"), 0o600))
	if got := listFiles(t, c, g).List[0].ID.Size; got != 3 {
		t.Errorf("the list has %d bytes, want 3", got)
	}
}
