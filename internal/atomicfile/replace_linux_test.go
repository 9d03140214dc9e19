package atomicfile

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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
			dir := disktest.Tree(t, tt.files)
			g := gatetest.New(t, nil, dir+"/proj")
			safe := filepath.Join(dir, tt.safe)
			before, file := treeOf(t, safe), inode(t, safe+"/f")

			stop := disktest.Swapper(t, filepath.Join(dir, "proj", tt.a), filepath.Join(dir, "proj", tt.b))
			replaced, created := 0, 0
			// A busy machine may exchange seldom, or always between the same two calls.
			for i := 0; i < testscale.Of(300, 60) || i < 30_000 && (replaced == 0 || created == 0); i++ {
				if _, err := Replace(g, nil, g.Path(filepath.Join(dir, "proj", tt.path)), old, []byte("old")); err == nil {
					replaced++
				}
				beside := filepath.Join(dir, "proj", filepath.Dir(tt.path), "new", string(rune('a'+i%26)), "n")
				if _, err := Create(g, nil, g.Path(beside), nil); err == nil {
					created++
				}
			}
			exchanges := stop()
			t.Logf("%d replaced, %d created, %d exchanges", replaced, created, exchanges)
			if replaced == 0 || created == 0 || exchanges == 0 {
				t.Error("the race did not take place")
			}
			if diff := changed(before, treeOf(t, safe)); len(diff) > 0 || inode(t, safe+"/f") != file {
				t.Errorf("written through an exchanged link: %q", diff)
			}
		})
	}
}

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	st, err := fsys.StatPath(path)
	disktest.Must(t, err)
	return st.ID.Ino
}

// TestDescriptors: nothing that opens leaves a descriptor behind, whatever
// comes of it. The garbage collector, which would close them, stands still.
func TestDescriptors(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	g, dir := linkedGate(t)
	disktest.Must(t, unix.Mkfifo(dir+"/proj/fifo", 0o644))
	paths := []workspace.Path{g.Path(dir + "/proj/fifo"), g.Path(dir + "/proj/none/none")}
	for name := range linkedFiles {
		paths = append(paths, g.Path(filepath.Join(dir, name)))
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
		_, _ = Replace(g, nil, p, text.Hash{}, nil)
		_, _ = Create(g, nil, p, nil)
		beside := g.Path(p.Abs + "-new/folder/file")
		_, _ = Create(g, nil, beside, nil)
		_, _ = Replace(g, nil, beside, text.HashBytes(nil), []byte("x"))
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	disktest.Must(t, err)
	return len(open)
}
