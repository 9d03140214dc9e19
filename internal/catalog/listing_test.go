//go:build linux || darwin

package catalog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func listOf(t testing.TB, c *Catalog, g *workspace.Gate, arg string) (*Listing, error) {
	t.Helper()
	p, err := g.Resolve(arg, nil)
	disktest.Must(t, err)
	return c.List(t.Context(), g, p)
}

func shownEntries(l *Listing) string {
	var all []string
	for _, e := range l.Entries {
		s := e.Name + ":" + string(e.Type)
		if e.Target != "" {
			s += ">" + e.Target
		}
		if e.Ignored {
			s += "!"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func checkList(t testing.TB, c *Catalog, g *workspace.Gate, arg, want string) *Listing {
	t.Helper()
	l, err := listOf(t, c, g, arg)
	disktest.Must(t, err)
	if got := shownEntries(l); got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", arg, got, want)
	}
	return l
}

func TestList(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"file10": "", "file2": "", "File1": "", "zoo/x": "", "Dir/x": "", ".hid": "", "l": "-> zoo", "bad": "-> nowhere",
		"a.log": "", ".gitignore": "*.log\nzoo", ".git/HEAD": "", "id_rsa": "", ".agentignore": "notes", "notes": "",
		"zoo/.gitignore": "y", "zoo/y": "", "zoo/a.log": "", "out": "-> /",
	})
	makeFIFO(t, filepath.Join(dir, "pipe"))
	other := disktest.Tree(t, map[string]string{"lib/z.go": "", "lib/.env": ""})
	g := gatetest.New(t, func(s *settings.Settings) { s.Policy.ReadOnlyRoots = []string{other} }, dir)
	both(t, func(t *testing.T, c *Catalog, _ func(*workspace.Gate, string) *Files) {
		l := checkList(t, c, g, ".", ".git:directory! Dir:directory zoo:directory! .agentignore:file! .gitignore:file! .hid:file! "+
			"a.log:file! bad:symlink>nowhere File1:file file2:file file10:file l:symlink>zoo out:symlink>/ pipe:other")
		if l.Hidden != 2 {
			t.Errorf("hidden %d", l.Hidden)
		}
		checkList(t, c, g, "zoo", ".gitignore:file! a.log:file! x:file y:file!")
		checkList(t, c, g, "l", ".gitignore:file! a.log:file! x:file y:file!")
		if l := checkList(t, c, g, filepath.Join(other, "lib"), "z.go:file"); l.Hidden != 1 {
			t.Errorf("hidden %d", l.Hidden)
		}
		for arg, kind := range map[string]fault.Kind{
			"file2": fault.NotDirectory, "file2/x": fault.NotDirectory, "pipe": fault.NotDirectory, "none": fault.NotFound,
			"bad": fault.NotFound, "out": fault.OutsideWorkspace, "out/tmp": fault.OutsideWorkspace, "id_rsa": fault.PermissionDenied,
		} {
			_, err := listOf(t, c, g, arg)
			disktest.CheckKind(t, arg, err, kind)
		}
		if _, err := listOf(t, c, g, "file2"); !strings.Contains(fault.From(err).Hint, "read_file") {
			t.Errorf("no hint: %v", err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := g.Resolve(".", nil)
	disktest.Must(t, err)
	_, err = newCatalog(t).List(ctx, g, p)
	disktest.CheckKind(t, "cancelled", err, fault.Cancelled)
}

// TestListFresh: a listing is kept while nothing happens, and no longer.
func TestListFresh(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"d/e/a": "", "d/e/b.log": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	l := checkList(t, c, g, "d/e", "a:file b.log:file")
	// A folder that was changed a moment before it was read is read again.
	for try := 1; c.State().Why == ""; try++ {
		again := checkList(t, c, g, "d/e", "a:file b.log:file")
		if again == l {
			break
		}
		if l = again; try == 1000 {
			t.Fatal("read again and again though nothing changes")
		}
	}
	steps := []struct {
		do   func()
		want string
	}{
		{func() { disktest.Plant(t, dir, "d/e/c", "") }, "a:file b.log:file c:file"},
		{func() { disktest.Plant(t, dir, "d/.ignore", "*.log") }, "a:file b.log:file! c:file"},
		{func() { disktest.Plant(t, dir, ".agentignore", "c") }, "a:file b.log:file!"},
		{func() {
			disktest.Must(t, os.Rename(filepath.Join(dir, "d/e"), filepath.Join(dir, "d/f")))
			disktest.Plant(t, dir, "d/e/z", "")
		}, "z:file"},
		{func() {
			disktest.Must(t, os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "dd")))
			disktest.Plant(t, dir, "d/e/y", "")
		}, "y:file"},
	}
	for _, s := range steps { // names are known at once: the folder's own time tells
		s.do()
		checkList(t, c, g, "d/e", s.want)
	}
	disktest.Plant(t, dir, "d/e/y", "longer")
	p, err := g.Resolve("d/e/y", nil)
	disktest.Must(t, err)
	c.Touched(p)
	if l, err := listOf(t, c, g, "d/e"); err != nil || l.Entries[0].ID.Size != 6 {
		t.Errorf("%+v %v", l, err)
	}
	disktest.Plant(t, dir, "d/e/y", "longer still")
	for {
		l, err := listOf(t, c, g, "d/e")
		disktest.Must(t, err)
		if l.Entries[0].ID.Size == 12 {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

// TestListMany: listings are given up when there are many, watches with them.
func TestListMany(t *testing.T) {
	files := make(map[string]string)
	for i := range 3 * maxLists {
		files[fmt.Sprintf("d%d/x", i)] = ""
	}
	g := gatetest.New(t, nil, disktest.Tree(t, files))
	c := newCatalog(t)
	for i := range 3 * maxLists {
		checkList(t, c, g, fmt.Sprint("d", i), "x:file")
	}
	v := c.view(g)
	v.lists.mu.Lock()
	defer v.lists.mu.Unlock()
	if len(v.lists.folders) > maxLists || v.watch.count() > maxLists {
		t.Errorf("%d listings, %d watches", len(v.lists.folders), v.watch.count())
	}
}

func TestCompareNatural(t *testing.T) {
	want := []string{"1", "2", "010", "10", "a", "A", "a1", "a01", "a2", "A2b", "a10", "b", "File", "file2", "File10", "z", "é", "\xff"}
	for i, a := range want {
		for j, b := range want {
			got := CompareNatural(a, b)
			if (got < 0) != (CompareNatural(b, a) > 0) {
				t.Errorf("%q and %q are not compared both ways alike", a, b)
			}
			if a == "A" && b == "a" || a == "a" && b == "A" || strings.TrimLeft(a, "a0") == strings.TrimLeft(b, "a0") {
				continue
			}
			if (got < 0) != (i < j) && i != j {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
	if CompareNatural("a", "A") == 0 || CompareNatural("a01", "a1") == 0 {
		t.Error("different names are told apart")
	}
	shuffled := []string{"x10", "X9", "x1"}
	slices.SortFunc(shuffled, CompareNatural)
	if !slices.Equal(shuffled, []string{"x1", "X9", "x10"}) {
		t.Errorf("order %q", shuffled)
	}
}
