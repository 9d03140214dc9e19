package catalog

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// listedBelow is the naive model of what a catalog lists: it walks dir anew.
func listedBelow(t testing.TB, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		switch {
		case rel == ".":
		case strings.HasPrefix(d.Name(), "."), strings.HasSuffix(d.Name(), ".pem"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			st, err := os.Stat(path)
			disktest.Must(t, err)
			files = append(files, fmt.Sprintf("%s %d %d", filepath.ToSlash(rel), st.Size(), st.ModTime().UnixNano()))
		}
		return nil
	})
	disktest.Must(t, err)
	slices.SortFunc(files, func(a, b string) int {
		return ComparePaths(withoutState(a), withoutState(b))
	})
	return files
}

func withoutState(shown string) string {
	for range 2 {
		shown = shown[:strings.LastIndexByte(shown, ' ')]
	}
	return shown
}

func shownFiles(f *Files) []string {
	var files []string
	for _, e := range f.List {
		files = append(files, fmt.Sprintf("%s %d %d", e.Rel, e.ID.Size, e.ID.Mtime))
	}
	return files
}

func listFiles(t testing.TB, c *Catalog, g *workspace.Gate) *Files {
	t.Helper()
	f, err := c.Files(t.Context(), g)
	disktest.Must(t, err)
	return f
}

// upToDate waits until the catalog knows all that was done before: it makes a
// last change, which the system tells last, and waits for that.
func upToDate(t testing.TB, c *Catalog, g *workspace.Gate, dir string) *Files {
	t.Helper()
	name := fmt.Sprintf("barrier%d", rand.Int64())
	at := filepath.Join(dir, name)
	disktest.Must(t, os.WriteFile(at, nil, 0o600))
	waitFor(t, c, g, func(f *Files) bool { return has(f, name) })
	disktest.Must(t, os.Remove(at))
	return waitFor(t, c, g, func(f *Files) bool { return !has(f, name) })
}

func waitFor(t testing.TB, c *Catalog, g *workspace.Gate, ok func(*Files) bool) *Files {
	t.Helper()
	for {
		f, err := c.Files(t.Context(), g)
		disktest.Must(t, err)
		if ok(f) {
			return f
		}
		time.Sleep(100 * time.Microsecond)
	}
}

func has(f *Files, rel string) bool {
	return slices.ContainsFunc(f.List, func(e FileEntry) bool { return e.Rel == rel })
}

// vandal changes a tree at random.
type vandal struct {
	t    testing.TB
	r    *rand.Rand
	dir  string
	near string // another folder, for links
}

func (v vandal) path() string {
	names := []string{"a", "b", "c", "A.go", "b.go", "a b", "a.b", "x.pem", ".hid", "d\xff", "main.go"}
	parts := make([]string, 1+v.r.IntN(3))
	for i := range parts {
		parts[i] = names[v.r.IntN(len(names))]
	}
	return filepath.Join(v.dir, filepath.Join(parts...))
}

func (v vandal) change() string { // much of it fails, and that is as well
	at, to := v.path(), v.path()
	what := v.r.IntN(10)
	switch what {
	case 0, 1, 2:
		_ = os.MkdirAll(filepath.Dir(at), 0o755)
		_ = os.WriteFile(at, make([]byte, v.r.IntN(100)), 0o644)
	case 3:
		_ = os.MkdirAll(at, 0o755)
	case 4:
		_ = os.RemoveAll(at)
	case 5, 6:
		_ = os.Rename(at, to)
	case 7: // a folder becomes a link
		_ = os.RemoveAll(at)
		_ = os.Symlink(v.near, at)
	case 8: // and a folder again, with the same names
		_ = os.RemoveAll(at)
		_ = os.MkdirAll(filepath.Join(at, "a"), 0o755)
		_ = os.WriteFile(filepath.Join(at, "a", "main.go"), []byte("x"), 0o644)
	case 9:
		if f, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0); err == nil {
			_, _ = f.WriteString("more")
			f.Close()
		}
	}
	return fmt.Sprint(what, at, to)
}

func TestCatalogModel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names that are not possible there")
	}
	for _, mode := range []struct {
		name    string
		options []Option
	}{
		{"watching", nil},
		{"comparing times", []Option{WithoutWatching()}},
		{"reading all", []Option{WithoutWatching(), func(c *Catalog) { c.now = func() time.Time { return time.Time{} } }}},
	} {
		t.Run(mode.name, func(t *testing.T) {
			for seed := range uint64(testscale.Of(8, 3)) {
				checkModel(t, seed, mode.options)
			}
		})
	}
}

func checkModel(t *testing.T, seed uint64, options []Option) {
	dir := disktest.Tree(t, nil)
	v := vandal{t, rand.New(rand.NewPCG(seed, 1)), dir, disktest.Tree(t, map[string]string{"main.go": "far", "a/b.go": "far"})}
	g := gatetest.New(t, nil, dir)
	c := New(options...)
	defer c.Close()
	for range 30 {
		v.change()
	}
	var done []string
	for round := range 25 {
		var f *Files
		if len(options) == 0 {
			f = upToDate(t, c, g, dir)
		} else {
			f = listFiles(t, c, g)
		}
		got, want := shownFiles(f), listedBelow(t, dir)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d after %q:\ngot  %q\nwant %q", seed, round, done, got, want)
		}
		if again := listFiles(t, c, g); again != f {
			t.Fatalf("seed %d, round %d: another list though nothing changed", seed, round)
		}
		done = nil
		for range 1 + v.r.IntN(6) {
			done = append(done, v.change())
		}
	}
}

// TestCatalogBusy lists while others change, and compares when they are done.
func TestCatalogBusy(t *testing.T) {
	dir := disktest.Tree(t, nil)
	g := gatetest.New(t, nil, dir)
	c := New()
	defer c.Close()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for n := range 3 {
		all.Go(func() {
			for ctx.Err() == nil {
				f, err := c.Files(ctx, g)
				if err == nil && !slices.IsSortedFunc(f.List, func(a, b FileEntry) int { return ComparePaths(a.Rel, b.Rel) }) {
					t.Errorf("lister %d: not in order: %q", n, shownFiles(f))
				}
			}
		})
	}
	v := vandal{t, rand.New(rand.NewPCG(7, 7)), dir, t.TempDir()}
	for range 1500 {
		v.change()
	}
	stop()
	all.Wait()
	f := upToDate(t, c, g, dir)
	if got, want := shownFiles(f), listedBelow(t, dir); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
