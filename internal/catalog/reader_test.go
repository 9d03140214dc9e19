//go:build linux || darwin

package catalog

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
)

func TestReader(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/one.go": "one", "a/two.go": "two", "b/three.go": strings.Repeat("3", 5000), "zero.go": ""})
	g := gatetest.New(t, nil, dir)
	f := listFiles(t, newCatalog(t), g)
	r := f.NewReader()
	defer r.Close()
	for _, i := range []int{0, 1, 2, 3, 1, 1, 0, 2} {
		id, err := r.Open(i)
		disktest.Must(t, err)
		want, err := os.ReadFile(f.Path(i).Abs)
		disktest.Must(t, err)
		text, whole, err := r.ReadAll(nil, id, 1<<20)
		if err != nil || !whole || !bytes.Equal(text, want) {
			t.Errorf("%d: %d bytes, %v, %v", i, len(text), whole, err)
		}
		text, whole, err = r.ReadAll(text, id, 2)
		if err != nil || whole != (len(want) <= 2) || !bytes.Equal(text, want[:min(2, len(want))]) {
			t.Errorf("%d, two bytes: %q, %v, %v", i, text, whole, err)
		}
		if now, err := r.State(); err != nil || now != id || id != f.List[i].ID {
			t.Errorf("%d: states %+v, %+v, listed %+v (%v)", i, id, now, f.List[i].ID, err)
		}
	}
}

// TestReaderChanged: what is written while a file is read, or after it was
// listed, is noticed.
func TestReaderChanged(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a.go": "one"})
	g := gatetest.New(t, nil, dir)
	f := listFiles(t, newCatalog(t), g)
	r := f.NewReader()
	defer r.Close()
	id, err := r.Open(0)
	disktest.Must(t, err)
	at := filepath.Join(dir, "a.go")
	disktest.Must(t, os.WriteFile(at, []byte("one and more"), 0o600))
	text, whole, err := r.ReadAll(nil, id, 1<<20)
	disktest.CheckKind(t, "grown", err, fault.StaleFile)
	if whole {
		t.Errorf("%q counts as whole", text)
	}
	if id, err = r.Open(0); err != nil || id == f.List[0].ID {
		t.Errorf("the state is the listed one: %v", err)
	}
	disktest.Must(t, os.Truncate(at, 1))
	_, _, err = r.ReadAll(nil, id, 1<<20)
	disktest.CheckKind(t, "cut", err, fault.StaleFile)
}

// TestReaderHoles: from the first hole on there are zero bytes, and what was
// written lies before it, whether the file system tells of holes or not.
func TestReaderHoles(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"full.txt": strings.Repeat("x", 100_000), "sparse.txt": strings.Repeat("x", 100_000)})
	disktest.Must(t, os.Truncate(filepath.Join(dir, "sparse.txt"), 1<<24))
	f := listFiles(t, newCatalog(t), gatetest.New(t, nil, dir))
	r := f.NewReader()
	defer r.Close()
	for i, most := range []int64{100_000, 1 << 24} {
		id, err := r.Open(i)
		disktest.Must(t, err)
		if at := r.NextHole(0, id.Size); at < 100_000 || at > most {
			t.Errorf("%s: a hole at %d", f.List[i].Rel, at)
		}
	}
}

// TestReaderReplaced: what is no regular file reached without links is not
// read, whatever the list says.
func TestReaderReplaced(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(t *testing.T, dir string)
		want fault.Kind
	}{
		"gone":        {func(t *testing.T, dir string) { disktest.Must(t, os.Remove(dir+"/d/a.go")) }, fault.NotFound},
		"folder gone": {func(t *testing.T, dir string) { disktest.Must(t, os.RemoveAll(dir+"/d")) }, fault.NotFound},
		"folder is file": {func(t *testing.T, dir string) {
			disktest.Must(t, os.RemoveAll(dir+"/d"))
			disktest.Plant(t, dir, "d", "")
		}, fault.NotFound},
		"folder is link": {func(t *testing.T, dir string) {
			disktest.Must(t, os.Rename(dir+"/d", dir+"/e"))
			disktest.Plant(t, dir, "d", "-> e")
		}, fault.NotFound},
		"link": {func(t *testing.T, dir string) {
			disktest.Must(t, os.Remove(dir+"/d/a.go"))
			disktest.Plant(t, dir, "d/a.go", "-> b.go")
		}, fault.NotFound},
		"folder": {func(t *testing.T, dir string) {
			disktest.Must(t, os.Remove(dir+"/d/a.go"))
			disktest.Plant(t, dir, "d/a.go/x", "")
		}, fault.IsDirectory},
		"FIFO": {func(t *testing.T, dir string) { disktest.Must(t, os.Remove(dir+"/d/a.go")); makeFIFO(t, dir+"/d/a.go") }, fault.NotAFile},
		"root made again": {func(t *testing.T, dir string) {
			disktest.Must(t, os.Rename(dir, dir+"2"))
			disktest.Plant(t, dir, "d/a.go", "")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(disktest.Tree(t, map[string]string{"r/d/a.go": "", "r/d/b.go": ""}), "r")
			g := gatetest.New(t, nil, dir)
			f := listFiles(t, newCatalog(t), g)
			tt.do(t, dir)
			r := f.NewReader()
			defer r.Close()
			_, err := r.Open(0)
			disktest.CheckKind(t, name, err, tt.want)
			if err != nil && fault.From(err).Path != "d/a.go" {
				t.Errorf("the error names %q", fault.From(err).Path)
			}
		})
	}
}

// TestReaderAllocs: reading many files costs no garbage.
func TestReaderAllocs(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"d/a.go": "text", "d/b.go": "text"})
	f := listFiles(t, newCatalog(t), gatetest.New(t, nil, dir))
	r := f.NewReader()
	defer r.Close()
	buf := make([]byte, 100)
	n := testing.AllocsPerRun(100, func() {
		for i := range 2 {
			id, err := r.Open(i)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := r.ReadAll(buf, id, 50); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n > 2 && runtime.GOOS == "linux" { // a copy of each name, for the system
		t.Errorf("%v allocations", n)
	}
}
