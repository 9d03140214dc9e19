//go:build linux || darwin

package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestSetMode: the file keeps all else, and what is not as was thought is left
// alone.
func TestSetMode(t *testing.T) {
	dir := tree(t, map[string]string{"a": "a", "way": "-> a", "d/": "", "sealed": "s"})
	must(t, os.Chmod(filepath.Join(dir, "sealed"), 0o444))
	g := newTestGate(t, nil, dir)
	at := func(name string) Path {
		p, err := g.Resolve(filepath.Join(dir, name), nil)
		must(t, err)
		return p
	}
	before, err := g.Stat(at("a"))
	must(t, err)
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
		err := g.SetMode(at(tt.name), ModeChange{tt.from, tt.to})
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
			dir := tree(t, map[string]string{"a": "a"})
			name, calls := filepath.Join(dir, "a"), 0
			txn := begin(t, newTestGate(t, nil, dir), nil, dir, change)
			txn.disk.workers = 1
			txn.disk.call = func(what string, do func() error) error {
				if calls++; calls == n {
					must(t, os.Chmod(name, 0o600))
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
			must(t, err)
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s, call %d: the mode is %v", change, n, info.Mode())
			}
		}
	}
}

// TestSetuidStays: other bits than those of permission are as they were.
func TestSetuidStays(t *testing.T) {
	dir := tree(t, map[string]string{"a": "a"})
	name := filepath.Join(dir, "a")
	must(t, os.Chmod(name, 0o644|fs.ModeSticky))
	g := newTestGate(t, nil, dir)
	p, err := g.Resolve(name, nil)
	must(t, err)
	txn := g.Begin(nil)
	must(t, txn.ReplaceMode(p, text.HashBytes([]byte("a")), ModeChange{0o644, 0o755}))
	must(t, txn.Stage())
	must(t, txn.Apply())
	_, err = txn.Commit()
	must(t, err)
	must(t, g.SetMode(p, ModeChange{0o755, 0o700}))
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o700|fs.ModeSticky {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
}
