//go:build unix

package fsys

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestOthersMayChange: who owns a file, and whom its mode lets write.
func TestOthersMayChange(t *testing.T) {
	me := uint32(os.Geteuid())
	const sticky = os.ModeDir | os.ModeSticky
	for _, tt := range []struct {
		mode     os.FileMode
		uid, gid uint32
		want     bool
	}{
		{0o600, me, 77, false},
		{0o644, me, 77, false},
		{0o600, 0, 0, false},
		{0o600, me + 1, 77, me+1 != 0},
		{0o602, me, 77, true},
		{0o620, me, me + 77, true},
		{0o620, me, me, false},
		{0o620, me, 0, false},
		{0o620, 0, 77, true},
		{0o777 | os.ModeDir, me, 77, true},
		{0o777 | sticky, me, 77, false},
		{0o666 | os.ModeSticky, me, 77, true},
	} {
		info := statOf{mode: tt.mode, stat: syscall.Stat_t{Uid: tt.uid, Gid: tt.gid}}
		if got := OthersMayChange(info); got != tt.want {
			t.Errorf("%v of %d and group %d: %v", tt.mode, tt.uid, tt.gid, got)
		}
	}
}

// statOf is what the system tells of a file.
type statOf struct {
	os.FileInfo
	mode os.FileMode
	stat syscall.Stat_t
}

func (s statOf) Mode() os.FileMode { return s.mode }
func (s statOf) Sys() any          { return &s.stat }

// TestOpenPrivate: a folder is private that is this user's own, and into which
// nobody else gets.
func TestOpenPrivate(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"private/": "", "readable/": "", "enterable/": "", "file": "x", "link": "-> private", "dangling": "-> nowhere"})
	disktest.Must(t, os.Chmod(dir+"/private", 0o700))
	disktest.Must(t, os.Chmod(dir+"/readable", 0o740))
	disktest.Must(t, os.Chmod(dir+"/enterable", 0o701))
	for _, tt := range []struct {
		path string
		make bool
		want fault.Kind
	}{
		{dir + "/private", false, ""},
		{dir + "/private", true, ""},
		{dir + "/new", false, fault.NotFound},
		{dir + "/new", true, ""},
		{dir + "/new", false, ""},
		{dir + "/no/such", true, fault.NotFound},
		{dir + "/readable", false, fault.PermissionDenied},
		{dir + "/enterable", true, fault.PermissionDenied},
		{dir + "/file", false, fault.NotDirectory},
		{dir + "/file", true, fault.NotDirectory},
		{dir + "/file/below", true, fault.NotDirectory},
		{dir + "/link", false, fault.NotDirectory},
		{dir + "/link", true, fault.NotDirectory},
		{dir + "/dangling", false, fault.NotDirectory},
		{"private", false, fault.InvalidParams},
		{"", true, fault.InvalidParams},
		{dir + "/a\x00", true, fault.InvalidParams},
	} {
		root, err := OpenPrivate(tt.path, tt.make)
		disktest.CheckKind(t, tt.path, err, tt.want)
		if (root != nil) != (tt.want == "") {
			t.Errorf("%s: %v, %v", tt.path, root, err)
		}
		if root != nil {
			root.Close()
		}
	}
	if info, err := os.Stat(dir + "/new"); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("made as %v, %v", info.Mode(), err)
	}
	if os.Geteuid() == 0 {
		disktest.Must(t, os.Chown(dir+"/private", 12345, -1))
		_, err := OpenPrivate(dir+"/private", false)
		disktest.CheckKind(t, "another's", err, fault.PermissionDenied)
	}
}

// TestExchangedFolder: what was opened is what was looked at.
func TestExchangedFolder(t *testing.T) {
	dir := t.TempDir()
	disktest.Must(t, os.Chmod(dir, 0o700))
	one, err := os.Stat(dir)
	disktest.Must(t, err)
	other, err := os.Stat(filepath.Dir(dir))
	disktest.Must(t, err)
	if err := checkPrivate(one, one); err != nil {
		t.Error(err)
	}
	disktest.CheckKind(t, "another folder", checkPrivate(other, one), fault.PermissionDenied)
}

// TestRealPath: links are resolved on the way, and names that lead nowhere
// stay.
func TestRealPath(t *testing.T) {
	if _, err := RealPath(strings.Repeat("/a", 100_000)); !errors.Is(err, syscall.ENAMETOOLONG) { // and at once
		t.Error(err)
	}
	dir := disktest.Tree(t, map[string]string{"a/b/file": "", "link": "-> a/b", "up": "-> a/b/..", "round": "-> round", "absolute": "-> $DIR/link", "dangling": "-> a/gone"})
	for arg, want := range map[string]string{
		"a/b/file": "a/b/file", "link/file": "a/b/file", "link/../x": "x", "up/b": "a/b", "absolute/file": "a/b/file", "absolute/new/x": "a/b/new/x",
		"dangling": "a/gone", "dangling/x": "a/gone/x", "a/./b//file": "a/b/file",
	} {
		real, err := RealPath(dir + "/" + arg)
		if err != nil || real != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v, want %s", arg, real, err, want)
		}
		known, dev, ino := Identify(dir + "/" + arg)
		st, err := os.Stat(dir + "/" + arg)
		if known != real || (dev != 0 || ino != 0) != (err == nil) {
			t.Errorf("%s is %s, %d, %d; %v, %v", arg, known, dev, ino, st, err)
		}
	}
	if _, err := RealPath(dir + "/round/x"); err == nil {
		t.Error("a link to itself leads somewhere")
	}
	if real, dev, ino := Identify(dir + "/round/x"); real != dir+"/round/x" || dev != 0 || ino != 0 {
		t.Errorf("what leads nowhere is %s, %d, %d", real, dev, ino)
	}
	_, dev, ino := Identify(dir + "/link/file")
	_, sameDev, sameIno := Identify(dir + "/a/b/file")
	_, otherDev, otherIno := Identify(dir + "/a/b")
	if dev != sameDev || ino != sameIno || dev == otherDev && ino == otherIno {
		t.Error("files are not told from each other")
	}
}
