package atomicfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: other owners, mounts")
	}
}

const nobody = 65534

// asNobody runs f with the rights of another user on files. The thread that
// has them ends with f.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		_, err := unix.SetfsgidRetGid(nobody)
		if err == nil {
			_, err = unix.SetfsuidRetUid(nobody)
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// accessListOf is the wire form of an access control list: the owner, the
// user nobody, the group, the mask and the others may read and write, or not.
func accessListOf(owner, user, group, mask, others uint16) []byte {
	raw := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, owner, ^uint32(0)}, {2, user, nobody}, {4, group, ^uint32(0)}, {16, mask, ^uint32(0)}, {32, others, ^uint32(0)}} {
		raw = binary.LittleEndian.AppendUint16(raw, e.tag)
		raw = binary.LittleEndian.AppendUint16(raw, e.perm)
		raw = binary.LittleEndian.AppendUint32(raw, e.id)
	}
	return raw
}

func (s *scene) setAttribute(name, attr string, value []byte) {
	s.t.Helper()
	if err := unix.Setxattr(s.file(name), attr, value, 0); err != nil {
		s.t.Fatal(err)
	}
}

func TestReplaceAtKeepsAccessList(t *testing.T) {
	s := oldScene(t)
	list := accessListOf(6, 6, 4, 6, 0)
	s.setAttribute(sceneFile, accessList, list)
	d := s.calling(before(func(int, string) error {
		s.wantNoWider(0o660)
		return nil
	}))
	w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
	wantWritten(t, w, err)
	if got := s.attribute(sceneFile, accessList); !bytes.Equal(got, list) {
		t.Errorf("access list is %x, want %x", got, list)
	}
}

// TestReplaceAtInheritsNoRights: the folder gives new files a list that the
// file does not have.
func TestReplaceAtInheritsNoRights(t *testing.T) {
	s := oldScene(t)
	s.setAttribute(".", "system.posix_acl_default", accessListOf(7, 7, 7, 7, 7))
	d := s.calling(before(func(int, string) error {
		s.wantNoWider(0o644)
		return nil
	}))
	w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
	wantWritten(t, w, err)
	if got := s.attribute(sceneFile, accessList); got != nil {
		t.Errorf("access list is %x, want none", got)
	}
	s.wantNoWider(0o644)

	if _, err := s.calling(fsys.PlainCall).create("new", []byte(newText)); err != nil {
		t.Fatal(err)
	}
	if got := s.attribute("new", accessList); got == nil {
		t.Error("a new file does not inherit the folder's list")
	}
}

func TestReplaceAtKeepsOwner(t *testing.T) {
	needRoot(t)
	const capability = "security.capability"
	s := oldScene(t)
	if err := os.Chown(s.file(sceneFile), nobody, 1234); err != nil {
		t.Fatal(err)
	}
	if err := unix.Chmod(s.file(sceneFile), 0o6755); err != nil {
		t.Fatal(err)
	}
	bind := append(binary.LittleEndian.AppendUint32(nil, 0x02000001), make([]byte, 16)...)
	bind[5] = 4 // CAP_NET_BIND_SERVICE
	s.setAttribute(sceneFile, capability, bind)
	w, err := replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText))
	wantWritten(t, w, err)
	var st unix.Stat_t
	if err := unix.Stat(s.file(sceneFile), &st); err != nil {
		t.Fatal(err)
	}
	if st.Uid != nobody || st.Gid != 1234 || modeBits(st) != 0o6755 {
		t.Errorf("owner %d:%d, mode %#o, want %d:1234 and 06755", st.Uid, st.Gid, modeBits(st), nobody)
	}
	if got := s.attribute(sceneFile, capability); !bytes.Equal(got, bind) {
		t.Errorf("capabilities are %x, want %x", got, bind)
	}
}

// TestReplaceAtCarriesRights: the person takes rights away during the write.
func TestReplaceAtCarriesRights(t *testing.T) {
	s := oldScene(t)
	d := s.calling(before(func(_ int, what string) error {
		if what == fsys.CallExchange {
			return unix.Chmod(s.file(sceneFile), 0o600)
		}
		return nil
	}))
	w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
	wantWritten(t, w, err)
	s.wantNoWider(0o600)
	if now := s.present(sceneFile); w.ID != now {
		t.Errorf("ID is %+v, want %+v", w.ID, now)
	}
}

// TestWriteAsAnotherUser tells what happens to files that are not ours.
func TestWriteAsAnotherUser(t *testing.T) {
	needRoot(t)
	for _, c := range []struct {
		name           string
		folder, file   os.FileMode
		fail           fault.Kind
		note, nowHolds string
	}{
		{"all writable: in place, for the owner cannot be kept", 0o777, 0o666, "", "in place", newText},
		{"file not writable", 0o777, 0o644, fault.PermissionDenied, "", oldText},
		{"folder not writable", 0o755, 0o666, fault.PermissionDenied, "", oldText},
		{"sticky folder", 0o777 | os.ModeSticky, 0o666, "", "in place", newText},
		{"file not readable", 0o777, 0o602, fault.PermissionDenied, "", oldText},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := oldScene(t)
			for _, err := range []error{
				os.Chmod(filepath.Dir(s.path), 0o755),
				os.Chmod(s.path, c.folder),
				os.Chmod(s.file(sceneFile), c.file),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			was := s.present(sceneFile)
			var w Written
			var err error
			asNobody(t, func() { w, err = replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText)) })
			if c.fail != "" {
				wantKind(t, err, c.fail)
			} else if err != nil || len(w.Notes) != 1 || !strings.Contains(w.Notes[0], c.note) {
				t.Errorf("error %v, notes %q, want one with %q", err, w.Notes, c.note)
			}
			s.want(sceneFile, c.nowHolds)
			s.wantNoLeftovers()
			if now := s.present(sceneFile); now.Ino != was.Ino {
				t.Error("the file is another one")
			}
		})
	}
}

// TestReplaceAtProtectedFromRoot: whoever takes all write bits away means it.
func TestReplaceAtProtectedFromRoot(t *testing.T) {
	needRoot(t)
	s := oldScene(t)
	if err := os.Chmod(s.file(sceneFile), 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText))
	wantKind(t, err, fault.PermissionDenied)
	s.want(sceneFile, oldText)
}

// mount mounts for the duration of the test.
func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	needRoot(t)
	err := unix.Mount(source, target, kind, flags, data)
	if err == unix.EPERM {
		t.Skip("needs the right to mount")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(target, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

func TestWriteDiskFull(t *testing.T) {
	path := t.TempDir()
	mount(t, "tmpfs", path, "tmpfs", 0, "size=64k")
	s := newScene(t, path)
	for _, unable := range []fsys.Caller{fsys.PlainCall, without(fsys.CallExchange, unix.EBUSY)} {
		old := strings.Repeat("o", 24<<10)
		s.write(sceneFile, old)
		_, err := s.calling(unable).replace(sceneFile, hashOf(old), bytes.Repeat([]byte("n"), 50<<10))
		wantKind(t, typed(err), fault.DiskFull)
		s.want(sceneFile, old)
		s.wantNoLeftovers()

		_, err = createAt(nil, s.dir, "new", bytes.Repeat([]byte("n"), 50<<10))
		wantKind(t, err, fault.DiskFull)
		s.wantNoLeftovers()

		if _, err := s.calling(unable).replace(sceneFile, hashOf(old), []byte(newText)); err != nil {
			t.Fatalf("after the failure: %v", err)
		}
		s.want(sceneFile, newText)
	}
}

// TestInPlaceDiskFull: there is room for a backup, but not for the new text
// beside it; the part that was written is taken back.
func TestInPlaceDiskFull(t *testing.T) {
	path := t.TempDir()
	mount(t, "tmpfs", path, "tmpfs", 0, "size=64k")
	s := newScene(t, path)
	s.write(sceneFile, oldText)
	opened := 0
	d := s.calling(before(func(_ int, what string) error {
		if what == fsys.CallOpen {
			opened++
		}
		if what == fsys.CallOpen && opened == 2 {
			return unix.EPERM // no file to exchange for: straight to the way in place
		}
		return nil
	}))
	_, err := d.replace(sceneFile, hashOf(oldText), bytes.Repeat([]byte("n"), 63<<10))
	wantKind(t, typed(err), fault.DiskFull)
	s.want(sceneFile, oldText)
	s.wantNoLeftovers()
}

// TestReplaceAtMountPoint: a single file bound into a container.
func TestReplaceAtMountPoint(t *testing.T) {
	s := oldScene(t)
	source := filepath.Join(t.TempDir(), "bound")
	if err := os.WriteFile(source, []byte(userText), 0o644); err != nil {
		t.Fatal(err)
	}
	mount(t, source, s.file(sceneFile), "", unix.MS_BIND, "")
	w, err := replaceAt(nil, s.dir, sceneFile, hashOf(userText), []byte(newText))
	if err != nil || len(w.Notes) != 1 || !strings.Contains(w.Notes[0], "in place") {
		t.Fatalf("error %v, notes %q, want one note about the way", err, w.Notes)
	}
	s.want(sceneFile, newText)
	s.wantNoLeftovers()
	if raw, err := os.ReadFile(source); err != nil || string(raw) != newText {
		t.Errorf("the bound file holds %q (%v)", raw, err)
	}
	_, err = s.remove(fsys.PlainCall, hashOf(newText))
	wantKind(t, err, fault.IO)
	s.want(sceneFile, newText)
}

func TestWriteReadOnlyFileSystem(t *testing.T) {
	path := t.TempDir()
	mount(t, "tmpfs", path, "tmpfs", 0, "size=64k")
	if err := os.WriteFile(filepath.Join(path, sceneFile), []byte(oldText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", path, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s := newScene(t, path)
	_, err := replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText))
	wantKind(t, err, fault.ReadOnly)
	_, err = createAt(nil, s.dir, "new", nil)
	wantKind(t, err, fault.ReadOnly)
	_, err = s.remove(fsys.PlainCall, hashOf(oldText))
	wantKind(t, err, fault.ReadOnly)
	s.want(sceneFile, oldText)
}

// TestWriteSizeLimit: without root, too, a write can be cut short.
func TestWriteSizeLimit(t *testing.T) {
	if os.Getenv(killTrialVar) == "limited" {
		limit := unix.Rlimit{Cur: 8 << 10, Max: 8 << 10}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		s := newScene(t, os.Getenv(killFolderVar))
		for _, c := range []fsys.Caller{fsys.PlainCall, without(fsys.CallExchange, unix.EBUSY)} {
			_, err := s.calling(c).replace(sceneFile, hashOf(oldText), bytes.Repeat([]byte("n"), 20<<10))
			wantKind(t, typed(err), fault.DiskFull)
			s.want(sceneFile, oldText)
			s.wantNoLeftovers()
		}
		return
	}
	s := oldScene(t)
	cmd := s.child("limited", 0)
	cmd.Args[1] = "-test.run=^TestWriteSizeLimit$"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, out))
	}
	s.want(sceneFile, oldText)
}

// TestSaveDuringWriteInPlace: no save at any moment of a write in place is
// lost.
func TestSaveDuringWriteInPlace(t *testing.T) {
	for _, how := range savers {
		t.Run(how.name, func(t *testing.T) {
			forEachMoment(func(begin, end int) int {
				s := oldScene(t)
				s.stepwise = true
				defer s.dir.Close()
				begun := func() *save { return how.begin(s, userText) }
				calls, err := during(begin, end, begun, without(fsys.CallExchange, unix.EBUSY), func(c fsys.Caller) error {
					_, err := s.calling(c).replace(sceneFile, hashOf(oldText), []byte(newText))
					return err
				})
				if err != nil {
					wantKind(t, typed(err), fault.StaleFile)
				}
				if got := s.read(sceneFile); got != userText {
					t.Fatalf("save at call %d (error: %v): the file holds %q", begin, err, got)
				}
				return calls
			})
		})
	}
}
