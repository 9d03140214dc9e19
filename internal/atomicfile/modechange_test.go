//go:build linux || darwin

package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestSetMode: the file keeps all else, and what is not as was thought is left
// alone.
func TestSetMode(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a": "a", "way": "-> a", "d/": "", "sealed": "s"})
	disktest.Must(t, os.Chmod(filepath.Join(dir, "sealed"), 0o444))
	g := gatetest.New(t, nil, dir)
	at := func(name string) workspace.Path {
		p, err := g.Resolve(filepath.Join(dir, name), nil)
		disktest.Must(t, err)
		return p
	}
	before, err := g.Stat(at("a"))
	disktest.Must(t, err)
	for _, tt := range []struct {
		name     string
		from, to fs.FileMode
		want     fault.Kind
		then     fs.FileMode
	}{
		{"a", 0o644, 0o755, "", 0o755},
		{"a", 0o644, 0o755, fault.StaleFile, 0o755},
		{"way", 0o755, 0o640, "", 0o640},
		{"sealed", 0o444, 0o755, fault.PermissionDenied, 0o444},
		{"d", 0o755, 0o644, fault.IsDirectory, 0o755},
		{"none", 0o644, 0o755, fault.NotFound, 0},
	} {
		err := SetMode(g, at(tt.name), ModeChange{tt.from, tt.to})
		if kind := fault.KindOf(err); kind != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if info, err := os.Stat(filepath.Join(dir, tt.name)); err == nil && info.Mode().Perm() != tt.then {
			t.Errorf("%s: mode %v, want %v", tt.name, info.Mode(), tt.then)
		}
	}
	mode, err := g.Mode(at("way"))
	after, _ := g.Stat(at("a"))
	if before.Ctime = after.Ctime; before != after || mode != 0o640 || err != nil {
		t.Errorf("it was %v and is %v, mode %v (%v)", before, after, mode, err)
	}
}

// TestModeOfAnother: a mode that is changed by another program stays, at
// whatever moment that happens.
func TestModeOfAnother(t *testing.T) {
	for _, change := range []string{"mode a +x", "replace a A +x"} {
		for n := 1; ; n++ {
			dir := disktest.Tree(t, map[string]string{"a": "a"})
			name, calls := filepath.Join(dir, "a"), 0
			txn := begin(t, gatetest.New(t, nil, dir), nil, dir, change)
			txn.disk.workers = 1
			txn.disk.call = func(what string, do func() error) error {
				if calls++; calls == n {
					disktest.Must(t, os.Chmod(name, 0o600))
				}
				return unflushed(what, do)
			}
			err := txn.Stage()
			if err == nil {
				err = txn.Apply()
			}
			if err == nil {
				_, err = txn.Commit()
			}
			if err != nil && fault.KindOf(err) != fault.StaleFile {
				t.Fatal(err)
			}
			if calls < n {
				break
			}
			info, err := os.Stat(name)
			disktest.Must(t, err)
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s, call %d: the mode is %v", change, n, info.Mode())
			}
		}
	}
}

// TestSetuidStays: other bits than those of permission are as they were.
func TestSetuidStays(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a": "a"})
	name := filepath.Join(dir, "a")
	disktest.Must(t, os.Chmod(name, 0o644|fs.ModeSticky))
	g := gatetest.New(t, nil, dir)
	p, err := g.Resolve(name, nil)
	disktest.Must(t, err)
	txn := Begin(g, nil)
	disktest.Must(t, txn.ReplaceMode(p, text.HashBytes([]byte("a")), ModeChange{0o644, 0o755}))
	disktest.Must(t, txn.Stage())
	disktest.Must(t, txn.Apply())
	_, err = txn.Commit()
	disktest.Must(t, err)
	disktest.Must(t, SetMode(g, p, ModeChange{0o755, 0o700}))
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o700|fs.ModeSticky {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
}
