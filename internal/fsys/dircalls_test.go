package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// callsIn are the calls in a folder of the test's own.
func callsIn(t *testing.T) (d DirCalls, path string) {
	t.Helper()
	path = t.TempDir()
	root, err := OpenRoot(path)
	must(t, err)
	dir, err := root.OpenFile(".", OpenDirFlags, 0)
	must(t, err)
	t.Cleanup(func() { dir.Close(); root.Close() })
	return NewDirCalls(dir, PlainCall), path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func plant(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// TestDirCalls: the calls do the same on all systems, and fail with the same
// errors.
func TestDirCalls(t *testing.T) {
	create := func(d DirCalls, name string) error {
		fd, err := d.Open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, 0o600)
		if err == nil {
			err = d.Write(fd, []byte("text"))
			d.Close(fd)
		}
		return err
	}
	for _, tt := range []struct {
		what string
		do   func(d DirCalls) error
		want error
		then string // the names in the folder
	}{
		{"make a file", func(d DirCalls) error { return create(d, "new") }, nil, "a b dir/ new"},
		{"make one that is there", func(d DirCalls) error { return create(d, "a") }, syscall.EEXIST, "a b dir/"},
		{"open none", func(d DirCalls) error { _, err := d.Open("none", syscall.O_RDONLY, 0); return err }, syscall.ENOENT, "a b dir/"},
		{"look at none", func(d DirCalls) error { _, err := d.StatName("none"); return err }, syscall.ENOENT, "a b dir/"},
		{"rename", func(d DirCalls) error { return d.Rename("a", "c") }, nil, "b c dir/"},
		{"rename over", func(d DirCalls) error { return d.Rename("a", "b") }, nil, "b dir/"},
		{"rename to what is free", func(d DirCalls) error { return d.RenameNew("a", d, "c") }, nil, "b c dir/"},
		{"rename to what is not", func(d DirCalls) error { return d.RenameNew("a", d, "b") }, syscall.EEXIST, "a b dir/"},
		{"rename none", func(d DirCalls) error { return d.Rename("none", "c") }, syscall.ENOENT, "a b dir/"},
		{"unlink", func(d DirCalls) error { return d.Unlink("a") }, nil, "b dir/"},
		{"unlink none", func(d DirCalls) error { return d.Unlink("none") }, syscall.ENOENT, "a b dir/"},
		{"make a folder", func(d DirCalls) error { return d.MakeFolder("more") }, nil, "a b dir/ more/"},
		{"make one that is there", func(d DirCalls) error { return d.MakeFolder("dir") }, syscall.EEXIST, "a b dir/"},
		{"remove a full one", func(d DirCalls) error { return d.RemoveFolder("dir") }, syscall.ENOTEMPTY, "a b dir/"},
		{"write to one", func(d DirCalls) error { return d.Access("a") }, nil, "a b dir/"},
	} {
		d, path := callsIn(t)
		plant(t, path, "a", "a")
		plant(t, path, "b", "b")
		must(t, os.Mkdir(filepath.Join(path, "dir"), 0o755))
		plant(t, path, "dir/in", "x")
		if err := tt.do(d); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, err, tt.want)
		}
		if got := namesIn(t, path); got != tt.then {
			t.Errorf("%s: there is %q, want %q", tt.what, got, tt.then)
		}
	}
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestDirCallsStayInTheFolder: a name that is a path, or no name, is no way out.
func TestDirCallsStayInTheFolder(t *testing.T) {
	d, path := callsIn(t)
	plant(t, filepath.Dir(path), "outside", "x")
	for _, name := range []string{`..\outside`, `dir\..\..\outside`, `C:\Windows\win.ini`, `\\localhost\c$\x`, `a:stream`, `\??\C:\x`} {
		if filepath.Separator == '/' {
			break // there these are names
		}
		if fd, err := d.Open(name, syscall.O_RDONLY, 0); err == nil {
			d.Close(fd)
			t.Errorf("%s was opened", name)
		}
		if err := d.Rename("outside", name); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	for _, name := range []string{"CON", "nul", "NUL.txt", "aux.c", "COM1", "lpt9.x", "a:b", "a.", "a ", "a?", `a\b`, "a\x01"} {
		if plain := filepath.Separator == '/'; IsName(name) != plain {
			t.Errorf("IsName(%q) is %t", name, !plain)
		}
	}
	for _, name := range []string{"a", ".git", "confi.g", "a b", "ä", "console", "com", "a..b"} {
		if !IsName(name) {
			t.Errorf("%q is no name", name)
		}
	}
}

// TestWatching: a file that a program has open for writing cannot be watched; one
// that is watched stays as it is where the system can do that.
func TestWatching(t *testing.T) {
	d, path := callsIn(t)
	plant(t, path, "a", "a")
	writer, err := os.OpenFile(filepath.Join(path, "a"), os.O_RDWR, 0)
	must(t, err)
	fd, err := d.Open("a", syscall.O_RDONLY, 0)
	must(t, err)
	fd, err = d.WatchWriters(fd)
	if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.ENOTSUP) {
		t.Errorf("with a writer: %v", err)
	}
	d.Close(fd)
	must(t, writer.Close())
	if !WatchingExcludes {
		return
	}
	fd, err = d.Open("a", syscall.O_RDONLY, 0)
	must(t, err)
	fd, err = d.WatchWriters(fd)
	must(t, err)
	if f, err := os.OpenFile(filepath.Join(path, "a"), os.O_RDWR, 0); err == nil {
		f.Close()
		t.Error("a watched file was opened for writing")
	}
	must(t, d.Rename("a", "moved")) // by us, though
	d.Close(fd)
	plant(t, path, "moved", "b")
}

// TestLocks: of two that lock a folder, one waits.
func TestLocks(t *testing.T) {
	d, _ := callsIn(t)
	waits := 0
	second := d
	unlock := d.Lock()
	second.Call = func(what string, do func() error) error {
		if what == "pause" {
			if waits++; waits == 2 {
				unlock()
			}
		}
		return PlainCall(what, do)
	}
	second.Lock()()
	if waits < 2 {
		t.Errorf("it waited %d times", waits)
	}
}

// TestBehindFile: nothing is below a file.
func TestBehindFile(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "file", "x")
	for path, want := range map[string]bool{"file/x": true, "file/x/y": true, "none/x": false, "file": false} {
		if got := IsBehindFile(filepath.Join(dir, path)); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// TestLongPaths: a path of 400 characters is one.
func TestLongPaths(t *testing.T) {
	dir := t.TempDir()
	for range 4 {
		dir = filepath.Join(dir, strings.Repeat("long", 25))
	}
	must(t, os.MkdirAll(dir, 0o755))
	plant(t, dir, "a", "text")
	f, err := OpenToRead(filepath.Join(dir, "a"))
	must(t, err)
	defer f.Close()
	real, err := DescriptorPath(f, f.Name())
	if err != nil || filepath.Base(real) != "a" {
		t.Errorf("%q, %v", real, err)
	}
	if at, err := FollowLinks(filepath.Join(dir, "a")); err != nil || !at.Exists {
		t.Errorf("%+v, %v", at, err)
	}
	if _, err := StatPath(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
