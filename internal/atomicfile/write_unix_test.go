//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

func (s *scene) mode(name string) uint32 {
	s.t.Helper()
	var st unix.Stat_t
	if err := unix.Lstat(s.file(name), &st); err != nil {
		s.t.Fatal(err)
	}
	return modeBits(st)
}

func killSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // it does not take effect on this thread at once
}

func wasKilled(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// someoneWaits reports whether a program is kept waiting in its open call for
// the file that has the name.
func (s *scene) someoneWaits() bool {
	locks, _ := os.ReadFile("/proc/locks")
	st, err := os.Stat(s.saved())
	s.must(err)
	inode := fmt.Sprintf(":%d ", st.Sys().(*syscall.Stat_t).Ino)
	for line := range strings.Lines(string(locks)) {
		if strings.Contains(line, "BREAKING") && strings.Contains(line, inode) {
			return true
		}
	}
	return false
}

// isHeld reports whether an error says that another program has the file open,
// which is none here.
func isHeld(error) bool { return false }

// special makes what is no regular file and no folder.
func (s *scene) special() (names []string) {
	s.t.Helper()
	disktest.Must(s.t, unix.Mkfifo(s.file("fifo"), 0o644))
	disktest.Must(s.t, os.Symlink(sceneFile, s.file("link")))
	disktest.Must(s.t, os.Symlink("nowhere", s.file("dangling")))
	return []string{"fifo", "link", "dangling"}
}

// attributes returns an extended attribute of the file, nil when it has none.
func (s *scene) attribute(name, attr string) []byte {
	buf := make([]byte, 1<<16)
	n, err := unix.Getxattr(s.file(name), attr, buf)
	if err != nil {
		return nil
	}
	return buf[:n]
}

func TestReplaceAtKeepsAttributes(t *testing.T) {
	const attr = "user.agent_lsp.test"
	for _, value := range [][]byte{[]byte("value"), {}, bytes.Repeat([]byte("v"), 3000)} {
		s := oldScene(t)
		if err := unix.Setxattr(s.file(sceneFile), attr, value, 0); err != nil {
			t.Fatalf("the temporary folder's file system has no extended attributes: %v", err)
		}
		w, err := replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText))
		wantWritten(t, w, err)
		s.want(sceneFile, newText)
		if got := s.attribute(sceneFile, attr); got == nil || !bytes.Equal(got, value) {
			t.Errorf("attribute is %.20q (%d bytes), want %.20q (%d bytes)", got, len(got), value, len(value))
		}
	}
}

func TestReplaceAtKeepsMode(t *testing.T) {
	for _, mode := range []uint32{0o644, 0o600, 0o755, 0o666, 0o777, 0o640, 0o200 | 0o444, 0o4755, 0o2755, 0o6711} {
		s := oldScene(t)
		if err := unix.Chmod(s.file(sceneFile), mode); err != nil {
			t.Fatal(err)
		}
		d := s.calling(before(func(int, string) error {
			s.wantNoWider(mode)
			return nil
		}))
		w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
		wantWritten(t, w, err)
		if got := s.mode(sceneFile); got != mode {
			t.Errorf("mode is %#o, want %#o", got, mode)
		}
	}
}

// wantNoWider checks that no file of the folder grants to anybody but its
// owner what mode does not.
func (s *scene) wantNoWider(mode uint32) {
	s.t.Helper()
	for _, name := range append(s.leftovers(), sceneFile) {
		if has := s.mode(name); has&^0o700&^mode != 0 {
			s.t.Errorf("%s has mode %#o, wider than %#o", name, has, mode)
		}
	}
}
