package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func TestCaseOfLiterals(t *testing.T) {
	d := newDisk(t, map[string]string{"lower": "pm_resume", "upper": "PM_RESUME", "both": "Pm_Resume", "none": "pm-resume"})
	v, files := built(t, d.indexer(), d.list()), d.list()
	for _, c := range []struct {
		l    Literal
		want string
	}{
		{Literal{"PM_RESUME", false}, "upper"},
		{Literal{"pm_resume", false}, "lower"},
		{Literal{"Pm_Resume", false}, "both"},
		{Literal{"PM_resume", true}, "both lower upper"},
		{Literal{"pm", false}, "both lower none upper"},
		{Literal{"pm\r", false}, "both lower none upper"},
	} {
		if got := names(files, candidates(t, v, files, [][]Literal{{c.l}}, false)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.l, got, c.want)
		}
	}
}

func TestRequiredLiteralsAreAllOfAnyOf(t *testing.T) {
	long := strings.Repeat("x\n", blockBytes/2)
	d := newDisk(t, map[string]string{
		"a": "one two", "b": "one three", "c": "two three", "far": "one\n" + long + "two\n", "wide": "\xff\xfeo\x00n\x00e\x00", "bin": "one\x00two",
	})
	v, files := built(t, d.indexer(), d.list()), d.list()
	one, two, three := literals("one"), literals("two"), literals("three")
	for _, c := range []struct {
		required [][]Literal
		perFile  bool
		want     string
	}{
		{nil, false, "a b c far wide"},
		{[][]Literal{one}, false, "a b far wide"},
		{[][]Literal{one, two}, false, "a"},
		{[][]Literal{one, two}, true, "a far"},
		{[][]Literal{literals("one", "two")}, false, "a b c far wide"},
		{[][]Literal{one, literals("two", "three")}, false, "a b"},
		{[][]Literal{three, literals("zz", "two")}, false, "b c"},
		{[][]Literal{literals("\none\nx\n")}, true, "far"},
		{[][]Literal{literals("\none\nx\n")}, false, "a b c far wide"},
		{[][]Literal{literals("two\n")}, false, "a far"},
		{[][]Literal{literals("\ntwo")}, false, "c far"},
	} {
		if got := names(files, candidates(t, v, files, c.required, c.perFile)); got != c.want {
			t.Errorf("%v (per file: %v): %s, want %s", c.required, c.perFile, got, c.want)
		}
	}
}

func TestBlocksOfAFile(t *testing.T) {
	line := strings.Repeat("-", 1023) + "\n"
	d := newDisk(t, map[string]string{"f": strings.Repeat(line, 40) + "needle\n" + strings.Repeat(line, 40)})
	v, files := built(t, d.indexer(), d.list()), d.list()
	got := candidates(t, v, files, [][]Literal{literals("needle")}, false)[0]
	if want := []Block{{32 << 10, 63<<10 + 7, 32}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("blocks %v, want %v", got, want)
	}
}

func TestChangedFilesAreNotIndexed(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	x := d.indexer()
	built(t, x, d.list())
	d.write("f007", "changed to needle")
	must(t, os.Remove(filepath.Join(d.dir, "f008")))
	d.write("new", "needle")
	files := d.list()
	v := x.View(files)
	var unindexed []string
	for _, i := range v.Unindexed(files) {
		unindexed = append(unindexed, files.List[i].Rel)
	}
	if got := strings.Join(unindexed, " "); got != "f007 new" {
		t.Errorf("unindexed: %s", got)
	}
	if got := names(files, candidates(t, v, files, [][]Literal{literals("number 7.")}, false)); got != "" {
		t.Errorf("the old text of a changed file is found: %s", got)
	}
	if s := x.State(); s.Files != 298 || s.Unindexed != 2 || s.Building || s.Problem != nil {
		t.Errorf("state %+v", s)
	}
}

func TestManyChangesAreFoldedIn(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	x := d.indexer()
	for round := range 12 {
		for i := range 20 {
			d.write(fmt.Sprintf("f%03d", (round*20+i)%300), fmt.Sprintf("round %d of %d", round, i))
		}
		files := d.list()
		v := built(t, x, files)
		if n := len(v.Unindexed(files)); n > 0 {
			t.Fatalf("round %d: %d files are unindexed", round, n)
		}
		want := 20
		if got := candidates(t, v, files, [][]Literal{literals(fmt.Sprintf("round %d of", round))}, false); len(got) != want {
			t.Errorf("round %d: %d candidates, want %d", round, len(got), want)
		}
	}
	s := x.State()
	if s.Segments > 5 {
		t.Errorf("%d segments are left", s.Segments)
	}
	if n := len(savedSegments(t, d)); n != s.Segments {
		t.Errorf("%d files are saved for %d segments", n, s.Segments)
	}
}

func TestRestart(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	built(t, d.indexer(), d.list())
	files := d.list()
	v := d.indexer().View(files)
	if n := len(v.Unindexed(files)); n > 0 {
		t.Errorf("%d files are unindexed after a restart", n)
	}
	if got := names(files, candidates(t, v, files, [][]Literal{literals("number 17.")}, false)); got != "f017" {
		t.Errorf("found %s", got)
	}
}

func TestFolderSharedByWorkspaces(t *testing.T) {
	d := newDisk(t, manyFiles(200))
	built(t, d.indexer(), d.list())
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, "f017"), []byte("another"), 0o644))
	d.open(other, d.dir)
	files := d.list()
	v := d.indexer().View(files)
	if got := v.Unindexed(files); len(got) != 1 || files.List[got[0]].Root != 0 {
		t.Errorf("unindexed: %v", got)
	}
	got := candidates(t, v, files, [][]Literal{literals("number 17.")}, false)
	if len(got) != 1 || got[18] == nil {
		t.Errorf("found %v", got)
	}
}

func TestIndexDisabled(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	cfg := settings.Default()
	cfg.Index.Enabled = false
	d.gate, _ = workspace.NewGate(nil, []workspace.Folder{{Path: d.dir}}, cfg)
	cat := catalog.New()
	defer cat.Close()
	files, err := cat.Files(t.Context(), d.gate)
	must(t, err)
	x := d.indexer()
	v := built(t, x, files)
	if n := len(v.Unindexed(files)); n != 300 {
		t.Errorf("%d files are unindexed", n)
	}
	if got := candidates(t, v, files, nil, false); len(got) != 0 {
		t.Errorf("found %d", len(got))
	}
	if n := len(savedSegments(t, d)); n != 0 {
		t.Errorf("%d segments were saved", n)
	}
}

func TestMemoryOnly(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	d.cache = nil
	x := d.indexer()
	v, files := built(t, x, d.list()), d.list()
	if got := names(files, candidates(t, v, files, [][]Literal{literals("number 17.")}, false)); got != "f017" {
		t.Errorf("found %s", got)
	}
	if s := x.State(); s.DiskBytes != 0 || s.HeapBytes == 0 || s.Files != 300 {
		t.Errorf("state %+v", s)
	}
}

// TestJustWritten: within one tick of a file system's clock a second write
// leaves no trace, so that a file that was written just now is not indexed.
func TestJustWritten(t *testing.T) {
	d := newDisk(t, map[string]string{"f": "text"})
	files := d.list()
	now := time.Unix(0, files.List[0].ID.Mtime).Add(time.Millisecond)
	b := newBuilder(func() time.Time { return now })
	r := files.NewReader()
	defer r.Close()
	if got := b.add(t.Context(), r, &files.List[0], 0); got != notFinal {
		t.Errorf("outcome %v", got)
	}
	now = now.Add(3 * time.Second)
	if got := b.add(t.Context(), r, &files.List[0], 0); got != indexed {
		t.Errorf("outcome %v", got)
	}
}

func TestUnreadableFilesStayUnindexed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	d := newDisk(t, manyFiles(3))
	must(t, os.Chmod(filepath.Join(d.dir, "f001"), 0))
	files := d.list()
	v := built(t, d.indexer(), files)
	if got := fmt.Sprint(v.Unindexed(files)); got != "[1]" {
		t.Errorf("unindexed: %s", got)
	}
}

func TestChangedSinceListed(t *testing.T) {
	d := newDisk(t, manyFiles(3))
	files := d.list()
	d.write("f001", "another text")
	v := built(t, d.indexer(), files)
	if got := fmt.Sprint(v.Unindexed(files)); got != "[1]" {
		t.Errorf("unindexed: %s", got)
	}
}

func TestCandidatesStop(t *testing.T) {
	d := newDisk(t, manyFiles(3))
	v, files := built(t, d.indexer(), d.list()), d.list()
	n := 0
	must(t, v.Candidates(t.Context(), files, nil, false, func(int, []Block) bool { n++; return n < 2 }))
	if n != 2 {
		t.Errorf("%d calls", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := v.Candidates(ctx, files, nil, false, func(int, []Block) bool { return true })
	if fault.KindOf(err) != fault.Cancelled {
		t.Errorf("error %v", err)
	}
}

// TestClose: whatever is at work ends, and views in use stay right.
func TestClose(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	files := d.list()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for range 20 {
		g := parallel.NewGroup(t.Context(), 2, 8, func(err error) { panic(err) })
		x := NewIndexer(d.cache, g.Go, later)
		v := x.View(files)
		x.Close()
		known := len(candidates(t, v, files, nil, false))
		if n := len(v.Unindexed(files)); n+known != 300 {
			t.Errorf("%d unindexed, %d candidates", n, known)
		}
		x.View(files)
		if err := x.Wait(t.Context()); err == nil && x.Missing() > 0 {
			t.Error("waited for nothing")
		}
		g.Wait()
	}
}

func TestWaitIsCancelled(t *testing.T) {
	d := newDisk(t, manyFiles(3))
	x := NewIndexer(nil, func(func(context.Context)) bool { return false }, later)
	defer x.Close()
	files := d.list()
	x.View(files)
	if err := x.Wait(t.Context()); fault.KindOf(err) != fault.Internal {
		t.Errorf("error %v", err)
	}
	never := NewIndexer(nil, func(func(context.Context)) bool { return true }, later)
	never.View(files)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := never.Wait(ctx); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("error %v", err)
	}
}

// manyFiles returns n small files, f000 and so on.
func manyFiles(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("f%03d", i)] = fmt.Sprintf("This is file number %d.\nIt has two lines.\n", i)
	}
	return all
}

// savedSegments returns the paths of all saved segments.
func savedSegments(t testing.TB, d *disk) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(d.cache.Path(), "*", "*"+segmentSuffix))
	must(t, err)
	return all
}
