//go:build linux || darwin

package catalog

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// aged makes everything below dir look as if it had not been touched lately.
// Only then are times trusted.
func aged(t testing.TB, c *Catalog) {
	t.Helper()
	c.now = func() time.Time { return time.Now().Add(time.Hour) }
}

// TestSaveModel changes a tree between two processes.
func TestSaveModel(t *testing.T) {
	for seed := range uint64(10) {
		for _, options := range [][]Option{nil, {WithoutWatching()}} {
			dir := disktest.Tree(t, map[string]string{"main.go": "x"})
			v := vandal{t, rand.New(rand.NewPCG(seed, 3)), dir, disktest.Tree(t, map[string]string{"main.go": "far"})}
			g := gatetest.New(t, nil, dir)
			for range 40 {
				v.change()
			}
			first := newCatalog(t, WithoutWatching())
			aged(t, first)
			listFiles(t, first, g)
			saved := first.Save(dir)
			if saved == nil {
				t.Fatal("nothing is saved")
			}
			var done []string
			for range v.r.IntN(10) {
				done = append(done, v.change())
			}
			second := newCatalog(t, options...)
			second.Load(saved)
			f := listFiles(t, second, g)
			if got, want := shownFiles(f), listedBelow(t, dir); !slices.Equal(got, want) {
				t.Fatalf("seed %d after %q:\ngot  %q\nwant %q", seed, done, got, want)
			}
			if len(second.saved) > 0 {
				t.Error("what was saved was not used")
			}
		}
	}
}

// TestSaveUsed: what was saved and is unchanged is not read again.
func TestSaveUsed(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/b.go": "x", "a/.gitignore": "*.log", "a/x.log": "", ".git/HEAD": "", ".env": ""})
	g := gatetest.New(t, nil, dir)
	first := newCatalog(t, WithoutWatching())
	aged(t, first)
	want := listFiles(t, first, g)
	saved := first.Save(dir)
	load := func(saved []byte, g *workspace.Gate, options ...Option) (used bool) {
		t.Helper()
		c := newCatalog(t, options...)
		c.Load(saved)
		v := c.view(g)
		w := v.walker()
		v.refreshTrees(w)
		used = v.trees[0].top.id != fsys.ID{}
		if f := listFiles(t, c, g); !slices.Equal(f.List, want.List) || f.Hidden != want.Hidden {
			t.Errorf("list %+v, want %+v", f, want)
		}
		return used
	}
	if !load(saved, g) {
		t.Error("what was saved is not used")
	}
	s := g.Settings()
	s.Policy.Excluded = []string{"other"}
	other, _ := workspace.NewGate(nil, g.Folders(), s)
	for what, used := range map[string]bool{
		"another policy":   load(saved, other),
		"other excludes":   load(saved, g, WithExcludes([]byte("other"))),
		"nothing":          load(nil, g),
		"a cut":            load(saved[:len(saved)-1], g),
		"a changed byte":   load(append(bytes.Clone(saved[:99]), append([]byte{saved[99] ^ 1}, saved[100:]...)...), g),
		"another version":  load(bytes.Replace(saved, []byte("files 2"), []byte("files 1"), 1), g),
		"something behind": load(append(bytes.Clone(saved), 0), g),
	} {
		if used {
			t.Errorf("%s: it is used", what)
		}
	}
	if first.Save(filepath.Dir(dir)) != nil {
		t.Error("an unknown folder is saved")
	}
	disktest.Plant(t, dir, ".git/info/exclude", "b.go\n")
	c := newCatalog(t)
	c.Load(saved)
	checkRels(t, "the repository's own rules changed", listFiles(t, c, g), "")
	disktest.Must(t, os.Remove(filepath.Join(dir, ".git/info/exclude")))
	checkRels(t, "and back", listFiles(t, c, g), "a/b.go")
}

// FuzzLoad: whatever stands in the frame, loading ends and the list is right.
func FuzzLoad(f *testing.F) {
	dir := disktest.Tree(f, map[string]string{"a/b.go": "x", "c/.gitignore": "y", "c/d/e.go": ""})
	g := gatetest.New(f, nil, dir)
	c := newCatalog(f, WithoutWatching())
	aged(f, c)
	listFiles(f, c, g)
	body, ok := openSaved(c.Save(dir))
	if !ok {
		f.Fatal("not its own")
	}
	f.Add(body)
	f.Add(body[:len(body)-3])
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(WithoutWatching())
		defer c.Close()
		v := c.view(g)
		d := decoder{b: body}
		d.str()
		d.str()
		d.sources()
		top := d.node(&folderTree{root: g.Roots()[0], dir: g.Roots()[0].Dir.Now(), above: &entryRules{gitignore.TopRules(dir, nil), nil}}, nil, 0)
		if top == nil || v == nil {
			t.Fatal("no node")
		}
	})
}
