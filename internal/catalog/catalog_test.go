//go:build linux || darwin

package catalog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func newCatalog(t testing.TB, options ...Option) *Catalog {
	t.Helper()
	c := New(options...)
	t.Cleanup(c.Close)
	return c
}

func makeFIFO(t testing.TB, path string) {
	t.Helper()
	disktest.Must(t, unix.Mkfifo(path, 0o600))
}

func rels(f *Files) string {
	var names []string
	for _, e := range f.List {
		names = append(names, e.Rel)
	}
	return strings.Join(names, " ")
}

func checkRels(t testing.TB, what string, f *Files, want string) {
	t.Helper()
	if got := rels(f); got != want {
		t.Errorf("%s: files %q, want %q", what, got, want)
	}
}

// both runs a test with a catalog that watches and with one that does not.
func both(t *testing.T, f func(t *testing.T, c *Catalog, now func(g *workspace.Gate, dir string) *Files)) {
	t.Run("watching", func(t *testing.T) {
		c := newCatalog(t)
		f(t, c, func(g *workspace.Gate, dir string) *Files { return upToDate(t, c, g, dir) })
	})
	t.Run("comparing", func(t *testing.T) {
		c := newCatalog(t, WithoutWatching())
		f(t, c, func(g *workspace.Gate, _ string) *Files { return listFiles(t, c, g) })
	})
}

func TestFilesLeavesOut(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"a.go": "", "b/c.go": "", "b.go": "", "b/a.pem": "", "sub/id_rsa": "", "sub/.hidden": "",
		".github/x.yml": "", ".env": "", ".ssh/id_rsa": "", ".ssh/config": "", "private/deep/er.go": "",
		"data/raw/x.go": "", "data/x.go": "", "link.go": "-> a.go", "linked": "-> $DIR/b", "up": "-> ..",
		"out.log": "", ".gitignore": "*.log", ".git/HEAD": "", ".git/info/exclude": "excluded.go", "excluded.go": "",
		".agentignore": "agents/\nnotes.go", "agents/x.go": "", "notes.go": "",
	})
	makeFIFO(t, filepath.Join(dir, "fifo.go"))
	g := gatetest.New(t, func(s *settings.Settings) { s.Policy.Excluded = []string{"private", "data/raw/**"} }, dir)
	f := listFiles(t, newCatalog(t), g)
	checkRels(t, "all", f, "a.go b/c.go b.go data/x.go")
	// a.pem, id_rsa, .env, .ssh, private, data/raw, agents and notes.go
	if f.Hidden != 8 || len(f.Problems) != 0 {
		t.Errorf("hidden %d, problems %v", f.Hidden, f.Problems)
	}
	if p := f.Path(1); p.Rel != "b/c.go" || p.Abs != filepath.Join(dir, "b", "c.go") {
		t.Errorf("path %+v", p)
	}
}

func TestFilesHiddenFolder(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{".aws/config": "x"})
	f := listFiles(t, newCatalog(t), gatetest.New(t, nil, filepath.Join(dir, ".aws")))
	checkRels(t, "a private folder as a root", f, "")
}

func TestFilesNamesNotUTF8(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("such names are not possible here")
	}
	dir := disktest.Tree(t, map[string]string{"a\xff/b\xfe.go": ""})
	f := listFiles(t, newCatalog(t), gatetest.New(t, nil, dir))
	checkRels(t, "raw names", f, "a\xff/b\xfe.go")
	if p := f.Path(0); !strings.HasSuffix(p.Rel, "/a%FF/b%FE.go") || !strings.HasPrefix(p.Rel, "file://") {
		t.Errorf("shown as %q", p.Rel)
	}
}

func TestFilesNestedRoots(t *testing.T) {
	both(t, func(t *testing.T, _ *Catalog, now func(*workspace.Gate, string) *Files) {
		dir := disktest.Tree(t, map[string]string{"a.go": "", "in/b.go": "", "in/deep/c.go": "", "z.go": "", "alias": "-> in"})
		g := gatetest.New(t, nil, dir, filepath.Join(dir, "in"), filepath.Join(dir, "alias"))
		f := now(g, dir)
		checkRels(t, "once each", f, "a.go z.go b.go deep/c.go")
		if f.List[2].Root != 1 || f.Path(2).Abs != filepath.Join(dir, "in", "b.go") {
			t.Errorf("%+v is %+v", f.List[2], f.Path(2))
		}
		disktest.Plant(t, dir, "in/new.go", "")
		checkRels(t, "a new file", now(g, dir), "a.go z.go b.go deep/c.go new.go")
	})
}

func TestFilesRules(t *testing.T) {
	both(t, func(t *testing.T, _ *Catalog, now func(*workspace.Gate, string) *Files) {
		dir := disktest.Tree(t, map[string]string{"a.go": "", "a.log": "", "sub/b.log": "", "sub/c.go": "", "build/x.go": "", ".git/info/x": ""})
		g := gatetest.New(t, nil, dir)
		checkRels(t, "before", now(g, dir), "a.go a.log build/x.go sub/b.log sub/c.go")
		disktest.Plant(t, dir, ".gitignore", "*.log\nbuild/\n")
		checkRels(t, "an ignore file", now(g, dir), "a.go sub/c.go")
		disktest.Plant(t, dir, "sub/.gitignore", "!b.log\n")
		checkRels(t, "an exception below", now(g, dir), "a.go sub/b.log sub/c.go")
		disktest.Plant(t, dir, ".git/info/exclude", "c.go\n")
		checkRels(t, "the repository's own", now(g, dir), "a.go sub/b.log")
		disktest.Must(t, os.Remove(filepath.Join(dir, ".gitignore")))
		checkRels(t, "without", now(g, dir), "a.go a.log build/x.go sub/b.log")
		disktest.Plant(t, dir, ".agentignore", "/a.*\n")
		f := now(g, dir)
		checkRels(t, "agents' ignore file", f, "build/x.go sub/b.log")
		if f.Hidden != 2 {
			t.Errorf("hidden %d", f.Hidden)
		}
		disktest.Plant(t, dir, "build/in/.git/HEAD", "")
		disktest.Plant(t, dir, "build/in/c.go", "")
		checkRels(t, "a repository inside", now(g, dir), "build/in/c.go build/x.go sub/b.log")
	})
}

func TestFilesAboveRoot(t *testing.T) {
	both(t, func(t *testing.T, _ *Catalog, now func(*workspace.Gate, string) *Files) {
		dir := disktest.Tree(t, map[string]string{".git/HEAD": "", "sub/a.go": "", "sub/a.log": ""})
		g := gatetest.New(t, nil, filepath.Join(dir, "sub"))
		checkRels(t, "before", now(g, filepath.Join(dir, "sub")), "a.go a.log")
		disktest.Plant(t, dir, ".gitignore", "*.log")
		checkRels(t, "after", now(g, filepath.Join(dir, "sub")), "a.go")
	})
}

func TestFilesRootReplaced(t *testing.T) {
	for _, options := range [][]Option{nil, {WithoutWatching()}} {
		dir := filepath.Join(disktest.Tree(t, map[string]string{"root/a.go": "", "root/d/b.go": ""}), "root")
		g := gatetest.New(t, nil, dir)
		c := newCatalog(t, options...)
		checkRels(t, "at first", listFiles(t, c, g), "a.go d/b.go")
		disktest.Must(t, os.Rename(dir, dir+"2"))
		f := listFiles(t, c, g)
		checkRels(t, "gone", f, "")
		if len(f.Problems) != 1 || fault.KindOf(f.Problems[0]) != fault.NotFound {
			t.Errorf("problems %v", f.Problems)
		}
		disktest.Plant(t, dir, "d/c.go", "")
		f = listFiles(t, c, g)
		checkRels(t, "made again", f, "d/c.go")
		disktest.Plant(t, dir, "d/d.go", "")
		waitFor(t, c, g, func(f *Files) bool { return rels(f) == "d/c.go d/d.go" })
	}
}

// TestFilesSame: while nothing changes there is one list; every other has
// another generation.
func TestFilesSame(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.go": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	f := upToDate(t, c, g, dir)
	same, problems := workspace.NewGate(g, g.Folders(), g.Settings())
	if len(problems) > 0 || listFiles(t, c, g) != f || listFiles(t, c, same) != f {
		t.Errorf("another list")
	}
	s := g.Settings()
	s.Policy.Excluded = []string{"a.go"}
	other, _ := workspace.NewGate(g, g.Folders(), s)
	if o := listFiles(t, c, other); rels(o) != "" || o.Hidden != 1 || o.Generation == f.Generation {
		t.Errorf("under other settings: %q, %+v", rels(o), o)
	}
	if listFiles(t, c, g) != f {
		t.Error("a call under the old gate gets another list")
	}
}

// TestFilesTouched: what the catalog is told is known at once.
func TestFilesTouched(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.go": "", "d/e.go": "", "l": "-> d"})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	listFiles(t, c, g)
	touch := func(name string) *Files {
		p, err := g.Resolve(name, nil)
		disktest.Must(t, err)
		c.Touched(p)
		return listFiles(t, c, g)
	}
	for i := range 50 {
		text := strings.Repeat("x", i+1)
		disktest.Plant(t, dir, "a.go", text)
		if f := touch("a.go"); f.List[0].ID.Size != int64(i+1) {
			t.Fatalf("size %d after writing %d bytes", f.List[0].ID.Size, i+1)
		}
		disktest.Plant(t, dir, "d/e.go", text)
		if f := touch("l/e.go"); f.List[1].ID.Size != int64(i+1) {
			t.Fatalf("by a link: size %d after writing %d bytes", f.List[1].ID.Size, i+1)
		}
		name := fmt.Sprintf("new%d/in/a.go", i)
		disktest.Plant(t, dir, name, "")
		if f := touch(name); !has(f, name) {
			t.Fatalf("%s is not listed", name)
		}
		disktest.Must(t, os.RemoveAll(filepath.Join(dir, name)))
		if f := touch(name); has(f, name) {
			t.Fatalf("%s is still listed", name)
		}
	}
}

// TestFilesOverflow: when the system lost count, all is compared.
func TestFilesOverflow(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/b/c.go": "", "d/e.go": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	listFiles(t, c, g)
	v := c.view(g)
	disktest.Must(t, v.watch.watcher.Remove(filepath.Join(dir, "a", "b")))
	disktest.Plant(t, dir, "a/b/new.go", "")
	disktest.Plant(t, dir, "a/b/c.go", "longer")
	v.marks.noteAll()
	f := listFiles(t, c, g)
	checkRels(t, "after an overflow", f, "a/b/c.go a/b/new.go d/e.go")
	if f.List[0].ID.Size != 6 {
		t.Errorf("size %d", f.List[0].ID.Size)
	}
}

// TestFilesLimit: folders that the system allows no watches for are compared
// at every call, and watched once it allows more.
func TestFilesLimit(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/b/c.go": "", "d/e.go": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	v := c.view(g)
	v.watch.full, v.watch.why = true, "no more"
	checkRels(t, "no watches", listFiles(t, c, g), "a/b/c.go d/e.go")
	if s := c.State(); s.Watching || s.Why != "no more" || s.Folders != 4 || s.Watched != 0 || s.Files != 2 {
		t.Errorf("state %+v", s)
	}
	for i := range retryRounds - 2 {
		name := fmt.Sprintf("a/b/n%d.go", i)
		disktest.Plant(t, dir, name, "")
		if f := listFiles(t, c, g); !has(f, name) {
			t.Fatalf("%s is not listed", name)
		}
	}
	f := upToDate(t, c, g, dir)
	if s := c.State(); !s.Watching || s.Why != "" || s.Watched != 4 {
		t.Errorf("state afterwards %+v", s)
	}
	if listFiles(t, c, g) != f {
		t.Error("another list though nothing changed")
	}
}

func TestFilesCancelled(t *testing.T) {
	files := make(map[string]string)
	for i := range 300 {
		files[fmt.Sprintf("d%d/e/f.go", i)] = ""
	}
	dir := disktest.Tree(t, files)
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Files(ctx, g)
	disktest.CheckKind(t, "cancelled", err, fault.Cancelled)
	for limit := 100 * time.Microsecond; ; limit += limit / 4 {
		ctx, cancel := context.WithTimeout(t.Context(), limit) // what is read until then is kept
		_, err := c.Files(ctx, g)
		cancel()
		if err == nil {
			break
		}
		disktest.CheckKind(t, "cut short", err, fault.Timeout)
	}
	if f := listFiles(t, c, g); len(f.List) != 300 {
		t.Errorf("%d files after walks that were cut short", len(f.List))
	}
}

// TestFilesStorm: however much changes while nobody asks, what is remembered
// of it stays small, and the list comes out right.
func TestFilesStorm(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.go": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	listFiles(t, c, g)
	for i := range 6000 {
		at := filepath.Join(dir, fmt.Sprintf("f%d.go", i))
		disktest.Must(t, os.WriteFile(at, nil, 0o600))
		if i%3 > 0 {
			disktest.Must(t, os.Remove(at))
		}
	}
	m := &c.view(g).marks
	m.mu.Lock()
	marked := m.names
	m.mu.Unlock()
	if marked > maxMarkedNames {
		t.Errorf("%d names are marked", marked)
	}
	if f := upToDate(t, c, g, dir); len(f.List) != 2001 {
		t.Errorf("%d files", len(f.List))
	}
}

func TestFilesPermissions(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	both(t, func(t *testing.T, _ *Catalog, now func(*workspace.Gate, string) *Files) {
		dir := disktest.Tree(t, map[string]string{"a.go": "", "d/e/b.go": ""})
		g := gatetest.New(t, nil, dir)
		checkRels(t, "before", now(g, dir), "a.go d/e/b.go")
		disktest.Must(t, os.Chmod(filepath.Join(dir, "d"), 0))
		f := now(g, dir)
		checkRels(t, "closed", f, "a.go")
		if len(f.Problems) != 1 || fault.KindOf(f.Problems[0]) != fault.PermissionDenied || fault.From(f.Problems[0]).Path != "d" {
			t.Errorf("problems %v", f.Problems)
		}
		disktest.Must(t, os.Chmod(filepath.Join(dir, "d"), 0o755))
		checkRels(t, "open", now(g, dir), "a.go d/e/b.go")
	})
}

// TestCatalogClose: nothing runs on, and a closed catalog still lists.
func TestCatalogClose(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := disktest.Tree(t, map[string]string{"a/b.go": ""})
	c := New()
	for i := range maxViews + 2 { // those given up are closed, too
		g := gatetest.New(t, func(s *settings.Settings) { s.Policy.Excluded = []string{fmt.Sprint("x", i)} }, dir)
		listFiles(t, c, g)
	}
	c.Close()
	c.Close()
	checkRels(t, "closed", listFiles(t, c, gatetest.New(t, nil, dir)), "a/b.go")
}

func TestMarks(t *testing.T) {
	var m marks
	m.note("/a/b", false)
	m.note("/a/b", true)
	m.note("/a/b", false)
	folders, all := m.take()
	if all || len(folders) != 1 || !folders["/a"].names["b"] {
		t.Errorf("took %v %v", folders, all)
	}
	for i := range maxMarkedNames + 1 {
		m.note(fmt.Sprint("/a/", i), true)
	}
	m.note("/b/c", false)
	if folders, all = m.take(); all || folders["/a"].names != nil || len(folders["/b"].names) != 1 {
		t.Errorf("many names in a folder: %v %v", len(folders), all)
	}
	for i := range maxMarkedFolders + 1 {
		m.note(fmt.Sprintf("/%d/a", i), true)
	}
	if folders, all = m.take(); !all || len(folders) != 0 {
		t.Errorf("many folders: %v %v", len(folders), all)
	}
	if folders, all = m.take(); all || len(folders) != 0 {
		t.Errorf("taken already: %v %v", len(folders), all)
	}
}

func TestComparePaths(t *testing.T) {
	want := []string{"a", "a/b", "a/b/c", "a/b.c", "a ", "a.go", "ab", "b"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, ComparePaths)
	if !slices.Equal(got, want) {
		t.Errorf("order %q", got)
	}
}

// TestFilesAsGit holds the list of a repository against git's own.
func TestFilesAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	dir := disktest.Tree(t, nil)
	disktest.Git(t, git, dir, "", "init", "-q")
	r := rand.New(rand.NewPCG(5, 5))
	names := []string{"a", "b", "c.go", "d.log", "build", "x y"}
	patterns := []string{"*.log", "build/", "/a", "!d.log", "b/**", "a/b", "*.go", "!c.go", "x y", "**/build/c.go"}
	c := newCatalog(t)
	g := gatetest.New(t, nil, dir)
	for round := range 25 {
		for range 12 {
			at := make([]string, 1+r.IntN(4))
			for i := range at {
				at[i] = names[r.IntN(len(names))]
			}
			path := filepath.Join(dir, filepath.Join(at...))
			switch r.IntN(6) {
			case 0:
				_ = os.RemoveAll(path)
			case 1:
				_ = os.WriteFile(filepath.Join(filepath.Dir(path), ".gitignore"), []byte(patterns[r.IntN(len(patterns))]+"\n"+patterns[r.IntN(len(patterns))]), 0o600)
			default:
				_ = os.MkdirAll(filepath.Dir(path), 0o700)
				_ = os.WriteFile(path, nil, 0o600)
			}
		}
		var want []string
		for name := range strings.SplitSeq(disktest.Git(t, git, dir, "", "ls-files", "-z", "--others", "--exclude-standard"), "\x00") {
			if name != "" && !strings.HasPrefix(path.Base(name), ".") {
				want = append(want, name)
			}
		}
		slices.SortFunc(want, ComparePaths)
		var got []string
		for _, e := range upToDate(t, c, g, dir).List {
			got = append(got, e.Rel)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d:\ngot  %q\nwant %q", round, got, want)
		}
	}
}

// TestFilesPseudo: nothing on /proc and its like is a file.
func TestFilesPseudo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there are none")
	}
	c := newCatalog(t)
	g := gatetest.New(t, nil, "/proc/self")
	checkRels(t, "/proc", listFiles(t, c, g), "")
	if s := c.State(); s.Folders != 1 || s.Files != 0 {
		t.Errorf("state %+v", s)
	}
}

// TestFilesMoved: a folder that moved is watched where it is now, with all
// that is in it.
func TestFilesMoved(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/k.go": "", "z/x/y/l.go": ""})
	g := gatetest.New(t, nil, dir)
	c := newCatalog(t)
	upToDate(t, c, g, dir)
	disktest.Must(t, os.Rename(filepath.Join(dir, "z/x"), filepath.Join(dir, "a/c")))
	checkRels(t, "moved", upToDate(t, c, g, dir), "a/c/y/l.go a/k.go")
	disktest.Plant(t, dir, "a/c/y/new.go", "")
	checkRels(t, "a new file in it", upToDate(t, c, g, dir), "a/c/y/l.go a/c/y/new.go a/k.go")
}
