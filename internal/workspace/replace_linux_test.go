package workspace

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/thin"
)

// TestSwappedLinkOnWriting replaces and creates files below a name that is
// exchanged for a link all the while: nothing outside, and nothing that is
// never written, may change.
func TestSwappedLinkOnWriting(t *testing.T) {
	old := text.HashBytes([]byte("old"))
	for _, tt := range []struct {
		name  string
		files map[string]string
		a, b  string // exchanged, below proj
		path  string
		safe  string // must not change
	}{
		{
			"folder against link out",
			map[string]string{"proj/d/f": "old", "proj/l": "-> ../out"}, "d", "l", "d/f", "out",
		}, {
			"file against link out",
			map[string]string{"proj/f": "old", "proj/l": "-> $DIR/out/f"}, "f", "l", "f", "out",
		}, {
			"folder against link into .git",
			map[string]string{"proj/d/f": "old", "proj/l": "-> .git"}, "d", "l", "d/f", "proj/.git",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.files["out/f"] = "old"
			tt.files["proj/.git/f"] = "old"
			dir := tree(t, tt.files)
			g := newTestGate(t, nil, dir+"/proj")
			safe := filepath.Join(dir, tt.safe)
			before, file := contents(t, safe), inode(t, safe+"/f")

			stop := swapper(t, filepath.Join(dir, "proj", tt.a), filepath.Join(dir, "proj", tt.b))
			replaced, created := 0, 0
			// A busy machine may swap seldom, or always between the same two calls.
			for i := 0; i < thin.Of(300, 60) || i < 30_000 && (replaced == 0 || created == 0); i++ {
				if _, err := g.Replace(nil, g.path(filepath.Join(dir, "proj", tt.path)), old, []byte("old")); err == nil {
					replaced++
				}
				beside := filepath.Join(dir, "proj", filepath.Dir(tt.path), "new", string(rune('a'+i%26)), "n")
				if _, err := g.Create(nil, g.path(beside), nil); err == nil {
					created++
				}
			}
			swaps := stop()
			t.Logf("%d replaced, %d created, %d exchanges", replaced, created, swaps)
			if replaced == 0 || created == 0 || swaps == 0 {
				t.Error("the race did not take place")
			}
			if diff := changed(before, contents(t, safe)); len(diff) > 0 || inode(t, safe+"/f") != file {
				t.Errorf("written through a swapped link: %q", diff)
			}
		})
	}
}

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	st, err := statPath(path)
	must(t, err)
	return st.id.Ino
}

// TestDescriptors: nothing that opens leaves a descriptor behind, whatever
// comes of it. The garbage collector, which would close them, stands still.
func TestDescriptors(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	g, dir := landingGate(t)
	must(t, unix.Mkfifo(dir+"/proj/fifo", 0o644))
	paths := []Path{g.path(dir + "/proj/fifo"), g.path(dir + "/proj/none/none")}
	for name := range landingFiles {
		paths = append(paths, g.path(filepath.Join(dir, name)))
	}
	before := descriptors(t)
	for _, p := range paths {
		if h, err := g.Open(p); err == nil {
			h.Close()
		}
		if h, err := g.OpenDocument(p); err == nil {
			h.Close()
		}
		_, _ = g.Stat(p)
		_ = g.CheckWrite(p)
		_, _ = g.Replace(nil, p, text.Hash{}, nil)
		_, _ = g.Create(nil, p, nil)
		beside := g.path(p.Abs + "-new/folder/file")
		_, _ = g.Create(nil, beside, nil)
		_, _ = g.Replace(nil, beside, text.HashBytes(nil), []byte("x"))
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(open)
}
