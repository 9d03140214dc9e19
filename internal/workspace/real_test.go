package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// TestReal: where a path really leads, and whether that is in a folder of the
// gate.
func TestReal(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"home/a.txt": "", "home/sub/b.txt": "", "home/in": "-> sub", "home/out": "-> ../other", "home/loop": "-> loop",
		"home/gone": "-> nowhere", "other/c.txt": "", "ws": "-> home",
	})
	g := gateOn(t, nil, dir+"/ws")
	for path, want := range map[string]string{
		"a.txt":         "home/a.txt",
		"sub/new/x":     "home/sub/new/x",
		"in/b.txt":      "home/sub/b.txt",
		"in/new":        "home/sub/new",
		"gone":          "home/nowhere",
		"out/c.txt":     "",
		"out/new":       "",
		"loop":          "",
		"loop/x":        "",
		"../home/a.txt": "home/a.txt",
	} {
		p := Path{Abs: filepath.Join(dir, "ws", path)}
		if real, ok := g.Real(p); ok != (want != "") || ok && real != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v, want %s", path, real, ok, want)
		}
	}
	// The folder stays the one that was opened.
	disktest.Must(t, os.Remove(dir+"/ws"))
	disktest.Must(t, os.Symlink("other", dir+"/ws"))
	if real, ok := g.Real(Path{Abs: filepath.Join(dir, "ws/a.txt")}); !ok || real != filepath.Join(dir, "home/a.txt") {
		t.Errorf("by a link that leads elsewhere by now: %s, %v", real, ok)
	}
}

// TestModifiedByTime: the way that every system has tells when a folder was
// changed, and that there is none.
func TestModifiedByTime(t *testing.T) {
	dir := t.TempDir()
	info, err := os.Stat(dir)
	disktest.Must(t, err)
	if at, err := fsys.Modified(dir); err != nil || !at.Equal(info.ModTime()) {
		t.Errorf("%v, %v, want %v", at, err, info.ModTime())
	}
	if at, err := fsys.Modified(dir + "/none"); err == nil {
		t.Errorf("a folder that is not there was changed at %v", at)
	}
}
