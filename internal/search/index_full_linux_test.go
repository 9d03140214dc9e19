package search

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestReallyFullDisk builds and rebuilds an index in a folder that is too
// small for it. Every search is right, also of the process that comes after,
// and what is wrong is told as long as it is.
func TestReallyFullDisk(t *testing.T) {
	small := smallDisk(t, 256<<10)
	d := newDisk(t, map[string]string{"first.txt": "needle0000 stands here\n"})
	d.cache = openCache(t, small)
	d.fillWith(0, 20)
	x := d.indexer()
	check := func(what string, files int) {
		t.Helper()
		list := d.list()
		v := built(t, x, list)
		got := candidates(t, v, list, [][]Literal{literals("needle0000")}, false)
		if len(got) != files || len(v.Unindexed(list)) > 0 {
			t.Errorf("%s: %d candidates and %d unindexed files, want %d and none", what, len(got), len(v.Unindexed(list)), files)
		}
	}
	check("with room", 1)
	if s := x.State(); s.Problem != nil || s.DiskBytes == 0 {
		t.Fatalf("with room: %+v", s)
	}
	plug := fill(t, small)
	d.fillWith(20, 400)
	d.write("second.txt", "needle0000 again\n")
	check("without", 2)
	s := x.State()
	if fault.KindOf(s.Problem) != fault.DiskFull {
		t.Errorf("without room the index's problem is %v", s.Problem)
	}
	if s.HeapBytes == 0 {
		t.Errorf("without room: %+v", s)
	}
	x = d.indexer() // another process, which finds nothing broken
	check("without, anew", 2)
	must(t, os.Remove(plug))
	d.write("third.txt", "needle0000 for the third time\n")
	check("room again", 3)
	if s := x.State(); s.Problem != nil {
		t.Errorf("with room again the index's problem is %v", s.Problem)
	}
}

// fillWith writes files of some kilobytes of words that no other has.
func (d *disk) fillWith(from, to int) {
	for i := from; i < to; i++ {
		var b strings.Builder
		for n := range 200 {
			fmt.Fprintf(&b, "word%dx%d and %x\n", i, n, i*n*2654435761)
		}
		d.write(fmt.Sprintf("f%03d.txt", i), b.String())
	}
}

// smallDisk mounts a file system of so many bytes.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", size)); err != nil {
		t.Skipf("only root may mount a small disk for the test: %v", err)
	}
	t.Cleanup(func() {
		// Files that are still open end with the indexer; the mount ends then.
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves no room in dir, and returns the file that takes it.
func fill(t *testing.T, dir string) string {
	t.Helper()
	f, err := os.CreateTemp(dir, "plug")
	must(t, err)
	defer f.Close()
	for _, n := range []int{4096, 1} {
		for err = error(nil); err == nil; {
			_, err = f.Write(make([]byte, n))
		}
	}
	return f.Name()
}
