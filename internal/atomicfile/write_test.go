package atomicfile

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// scene is a folder with, mostly, the one file that is written to.
type scene struct {
	t    testing.TB
	path string
	dir  *os.File
	// stepwise: a save begins within a system call of the write, so that it
	// must not wait for the write to go on.
	stepwise bool
	editing  string // the file that is saved; "" is sceneFile
}

const (
	sceneFile = "main.go"
	oldText   = "package main // as it was read\n"
	newText   = "package main // as the assistant wants it, a little longer\n"
	userText  = "package main // saved by the person\n"
)

func newScene(t testing.TB, path string) *scene {
	t.Helper()
	dir, err := fsys.OpenToRead(path) // it may be renamed meanwhile
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	s := &scene{t: t, path: path, dir: dir}
	return s
}

// oldScene has the file with oldText.
func oldScene(t testing.TB) *scene {
	t.Helper()
	s := newScene(t, t.TempDir())
	s.write(sceneFile, oldText)
	return s
}

func (s *scene) file(name string) string { return filepath.Join(s.path, name) }

// saved is the path of the file that an editor saves.
func (s *scene) saved() string { return s.file(cmp.Or(s.editing, sceneFile)) }

func (s *scene) write(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(s.file(name), []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) read(name string) string {
	s.t.Helper()
	raw, err := os.ReadFile(s.file(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

// want checks the file's whole text, showing no more of it than a message can
// hold.
func (s *scene) want(name, content string) {
	s.t.Helper()
	if got := s.read(name); got != content {
		s.t.Fatalf("%s holds %.80q (%d bytes), want %.80q (%d bytes)", name, got, len(got), content, len(content))
	}
}

// leftovers are the names of all files of ours in the folder.
func (s *scene) leftovers() []string {
	s.t.Helper()
	entries, err := os.ReadDir(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	var own []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workspace.OwnPrefix) {
			own = append(own, e.Name())
		}
	}
	return own
}

func (s *scene) wantNoLeftovers() {
	s.t.Helper()
	if own := s.leftovers(); own != nil {
		s.t.Fatalf("left behind: %q", own)
	}
}

func (s *scene) present(name string) fsys.ID {
	s.t.Helper()
	st, err := fsys.StatPath(s.file(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return st.ID
}

func wantKind(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if _, ok := errors.AsType[*fault.Error](err); !ok || fault.KindOf(err) != kind {
		t.Fatalf("error is %v, want one of kind %s", err, kind)
	}
}

func wantWritten(t testing.TB, w Written, err error) {
	t.Helper()
	if err != nil || w.Notes != nil {
		t.Fatalf("error %v, notes %q, want none", err, w.Notes)
	}
}

// calling is a dirWriter whose calls go through c.
func (s *scene) calling(c fsys.Caller) dirWriter {
	return dirWriter{DirCalls: fsys.NewDirCalls(s.dir, c)}
}

// before calls f before each system call with the call's number, from 1 on;
// its error is the call's.
func before(f func(n int, what string) error) fsys.Caller {
	n := 0
	return func(what string, do func() error) error {
		n++
		if err := f(n, what); err != nil {
			return err
		}
		return fsys.PlainCall(what, do)
	}
}

// without lets all calls of one name fail.
func without(what string, err error) fsys.Caller {
	return before(func(_ int, w string) error {
		if w == what {
			return err
		}
		return nil
	})
}

func hashOf(s string) text.Hash { return text.HashBytes([]byte(s)) }

func TestReplaceAt(t *testing.T) {
	big := strings.Repeat("0123456789abcde\n", 200<<10)
	for _, c := range []struct{ name, old, new string }{
		{"longer", oldText, newText},
		{"shorter", newText, "x"},
		{"to empty", oldText, ""},
		{"from empty", "", newText},
		{"same", oldText, oldText},
		{"large", big, big[1:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, t.TempDir())
			s.write(sceneFile, c.old)
			w, err := replaceAt(nil, s.dir, sceneFile, hashOf(c.old), []byte(c.new))
			wantWritten(t, w, err)
			s.want(sceneFile, c.new)
			s.wantNoLeftovers()
			if now := s.present(sceneFile); w.ID != now {
				t.Errorf("ID is %+v, want that of the file, %+v", w.ID, now)
			}
		})
	}
}

func TestReplaceAtStale(t *testing.T) {
	s := oldScene(t)
	was := s.present(sceneFile)
	_, err := replaceAt(nil, s.dir, sceneFile, hashOf(userText), []byte(newText))
	wantKind(t, err, fault.StaleFile)
	if got := fault.From(err).Details["actual"]; got != hashOf(oldText).String() {
		t.Errorf("actual is %v, want the hash of the text that is there", got)
	}
	s.want(sceneFile, oldText)
	s.wantNoLeftovers()
	now := s.present(sceneFile)
	if now.Ino != was.Ino || now.Mtime != was.Mtime {
		t.Errorf("the file was %+v and is %+v, want the same one", was, now)
	}
}

func TestWriteRefuses(t *testing.T) {
	s := oldScene(t)
	s.write("protected", oldText)
	disktest.Must(t, os.Mkdir(s.file("folder"), 0o755))
	disktest.Must(t, os.Chmod(s.file("protected"), 0o444))
	t.Cleanup(func() { _ = os.Chmod(s.file("protected"), 0o644) }) // some systems do not remove it else
	special := s.special()
	for name, kind := range map[string]fault.Kind{
		"missing":        fault.NotFound,
		"folder":         fault.IsDirectory,
		"protected":      fault.PermissionDenied,
		"folder/x":       fault.InvalidParams,
		"../" + "other":  fault.InvalidParams,
		"..":             fault.InvalidParams,
		".":              fault.InvalidParams,
		"":               fault.InvalidParams,
		"main.go\x00txt": fault.InvalidParams,
	} {
		_, err := replaceAt(nil, s.dir, name, hashOf(oldText), []byte(newText))
		t.Run("replace "+name, func(t *testing.T) { wantKind(t, err, kind) })
	}
	for _, name := range special {
		_, err := replaceAt(nil, s.dir, name, hashOf(oldText), []byte(newText))
		t.Run("replace "+name, func(t *testing.T) { wantKind(t, err, fault.NotAFile) })
	}
	for _, name := range append(special, sceneFile, "folder", "protected") {
		_, err := createAt(nil, s.dir, name, []byte(newText))
		t.Run("create "+name, func(t *testing.T) { wantKind(t, err, fault.AlreadyExists) })
	}
	s.want(sceneFile, oldText)
	s.want("protected", oldText)
	s.wantNoLeftovers()
	if entries, _ := os.ReadDir(s.path); len(entries) != 3+len(special) {
		t.Errorf("the folder has %d entries, want the same", len(entries))
	}
}

func TestCreateAt(t *testing.T) {
	for name, c := range map[string]fsys.Caller{
		"renamed": fsys.PlainCall,
		"linked":  without("rename new", syscall.EINVAL),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir())
			w, err := s.calling(c).create(sceneFile, []byte(newText))
			wantWritten(t, w, err)
			s.want(sceneFile, newText)
			s.wantNoLeftovers()
			if now := s.present(sceneFile); w.ID != now {
				t.Errorf("ID is %+v, want that of the file, %+v", w.ID, now)
			}
			plain, err := os.Create(s.file("plain"))
			if err != nil {
				t.Fatal(err)
			}
			defer plain.Close()
			if made, usual := s.mode(sceneFile), s.mode("plain"); made != usual {
				t.Errorf("mode is %#o, want the usual %#o", made, usual)
			}

			_, err = s.calling(c).create(sceneFile, []byte(oldText))
			wantKind(t, err, fault.AlreadyExists)
			s.want(sceneFile, newText)
			s.wantNoLeftovers()
		})
	}
}

// remove deletes the scene's file, in a transaction whose calls go through c.
func (s *scene) remove(c fsys.Caller, guard text.Hash) ([]Written, error) {
	s.t.Helper()
	g := gatetest.New(s.t, nil, s.path)
	path, err := g.Resolve(s.file(sceneFile), nil)
	disktest.Must(s.t, err)
	txn := Begin(g, nil)
	disktest.Must(s.t, txn.Delete(path, guard))
	txn.disk.call, txn.disk.workers = c, 1
	if err := txn.Stage(); err != nil {
		return nil, err
	}
	if err := txn.Apply(); err != nil {
		return nil, err
	}
	return txn.Commit()
}

func TestRemove(t *testing.T) {
	s := oldScene(t)
	_, err := s.remove(fsys.PlainCall, hashOf(userText))
	wantKind(t, err, fault.StaleFile)
	s.want(sceneFile, oldText)

	written, err := s.remove(fsys.PlainCall, hashOf(oldText))
	if err != nil || written[0].Notes != nil {
		t.Fatalf("error %v, %+v", err, written)
	}
	if entries, _ := os.ReadDir(s.path); len(entries) != 0 {
		t.Errorf("left in the folder: %v", entries)
	}
}

// TestRemoveKeepsBoth: a text that must go back finds its name taken.
func TestRemoveKeepsBoth(t *testing.T) {
	const saved = "saved before it was moved away"
	s := oldScene(t)
	_, err := s.remove(before(func(_ int, what string) error {
		switch what {
		case "rename":
			s.write(sceneFile, saved)
		case "rename new":
			s.write(sceneFile, userText)
		}
		return nil
	}), hashOf(oldText))
	wantKind(t, err, fault.PartiallyApplied)
	s.want(sceneFile, userText)
	s.want(s.leftovers()[0], saved)
}

func TestReplaceAtHardLink(t *testing.T) {
	s := oldScene(t)
	if err := os.Link(s.file(sceneFile), s.file("twin")); err != nil {
		t.Fatal(err)
	}
	w, err := replaceAt(nil, s.dir, sceneFile, hashOf(oldText), []byte(newText))
	if err != nil || len(w.Notes) != 1 || !strings.Contains(w.Notes[0], "2 hard links") {
		t.Fatalf("error %v, notes %q, want one note about the links", err, w.Notes)
	}
	s.want(sceneFile, newText)
	s.want("twin", oldText)
}

// recorded makes calls by c and notes those whose order matters.
func recorded(c fsys.Caller, calls *[]string) fsys.Caller {
	return func(what string, do func() error) error {
		switch what {
		case fsys.CallWrite, fsys.CallSync, fsys.CallExchange, fsys.CallUnlink, fsys.CallSyncFolder:
			*calls = append(*calls, what)
		}
		return c(what, do)
	}
}

// TestReplaceAtOrder guards what a power failure may leave: each step is on
// the medium before the next one counts on it.
func TestReplaceAtOrder(t *testing.T) {
	inPlace := without(fsys.CallExchange, syscall.EBUSY)
	for name, c := range map[string]struct {
		guard string
		by    fsys.Caller
		want  []string
	}{
		"exchanged": {oldText, fsys.PlainCall, []string{fsys.CallWrite, fsys.CallSync, fsys.CallExchange, fsys.CallUnlink, fsys.CallSyncFolder}},
		"put back":  {userText, fsys.PlainCall, []string{fsys.CallWrite, fsys.CallSync, fsys.CallExchange, fsys.CallExchange, fsys.CallUnlink, fsys.CallSyncFolder}},
		"in place": {oldText, inPlace, []string{fsys.CallWrite, fsys.CallSync, fsys.CallExchange, fsys.CallUnlink,
			fsys.CallWrite, fsys.CallSync, fsys.CallSyncFolder, fsys.CallWrite, fsys.CallSync, fsys.CallUnlink, fsys.CallSyncFolder}},
	} {
		t.Run(name, func(t *testing.T) {
			s := oldScene(t)
			var calls []string
			_, err := s.calling(recorded(c.by, &calls)).replace(sceneFile, hashOf(c.guard), []byte(newText))
			if (err == nil) != (c.guard == oldText) {
				t.Fatal(err)
			}
			if !slices.Equal(calls, c.want) {
				t.Errorf("calls were %q, want %q", calls, c.want)
			}
		})
	}
}

func TestReplaceInPlace(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EINVAL, syscall.ENOSYS, syscall.ENOTSUP, syscall.EBUSY, syscall.EXDEV, syscall.EPERM} {
		t.Run(errno.Error(), func(t *testing.T) {
			s := oldScene(t)
			was := s.present(sceneFile)
			d := s.calling(without(fsys.CallExchange, errno))
			w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
			if err != nil || len(w.Notes) != 1 || !strings.Contains(w.Notes[0], "in place") {
				t.Fatalf("error %v, notes %q, want one note about the way", err, w.Notes)
			}
			s.want(sceneFile, newText)
			s.wantNoLeftovers()
			now := s.present(sceneFile)
			if now != w.ID || now.Ino != was.Ino {
				t.Errorf("ID is %+v, the file was %+v and is %+v", w.ID, was, now)
			}

			_, err = d.replace(sceneFile, hashOf(oldText), []byte(userText))
			wantKind(t, err, fault.StaleFile)
			s.want(sceneFile, newText)
			s.wantNoLeftovers()
		})
	}
}

// TestInPlaceOrder: the old text is on the medium before it is overwritten,
// and until the new one is.
func TestInPlaceOrder(t *testing.T) {
	s := oldScene(t)
	guarded := func() bool {
		for _, name := range s.leftovers() {
			if strings.Contains(name, "backup") && s.read(name) == oldText {
				return true
			}
		}
		return false
	}
	synced := false
	d := s.calling(func(what string, do func() error) error {
		whole := s.read(sceneFile) == oldText || synced
		if what != fsys.CallUnlink && !whole && !guarded() {
			t.Errorf("before %s there is no whole text", what)
		}
		switch what {
		case fsys.CallExchange:
			return syscall.EBUSY
		case "lease":
			return syscall.ENOTSUP // so that this test, too, can read the file
		}
		err := fsys.PlainCall(what, do)
		synced = synced || what == fsys.CallSync && s.read(sceneFile) == newText
		return err
	})
	if _, err := d.replace(sceneFile, hashOf(oldText), []byte(newText)); err != nil {
		t.Fatal(err)
	}
	s.want(sceneFile, newText)
}

// TestWrittenByAnotherMeanwhile: a file that another program replaced, or wrote,
// while it was written in place is told, and is that program's.
func TestWrittenByAnotherMeanwhile(t *testing.T) {
	for name, write := range map[string]func(path string) error{
		"replaced by the same": func(path string) error { return replaced(path, newText) },
		"replaced":             func(path string) error { return replaced(path, userText) },
		"written":              func(path string) error { return os.WriteFile(path, []byte(userText), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := oldScene(t)
			done := false
			d := s.calling(func(what string, do func() error) error {
				switch what {
				case fsys.CallExchange:
					return syscall.EBUSY
				case "lease":
					return syscall.ENOTSUP // so that others may write
				}
				err := fsys.PlainCall(what, do)
				if !done && what == fsys.CallSync && s.read(sceneFile) == newText {
					done = true
					disktest.Must(t, write(s.file(sceneFile)))
				}
				return err
			})
			_, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
			wantKind(t, err, fault.StaleFile)
			if !done {
				t.Error("nobody wrote")
			}
			if got := s.read(sceneFile); name != "replaced by the same" && got != userText {
				t.Errorf("the file holds %q", got)
			}
		})
	}
}

// replaced gives a new file that holds s the name path.
func replaced(path, s string) error {
	if err := os.WriteFile(path+".new", []byte(s), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func TestOwnNames(t *testing.T) {
	guard := hashOf(oldText)
	prefix := guard.String()[len("sha256:"):][:16]
	for _, name := range []string{exchangeName(guard), backupName(guard)} {
		if !strings.HasPrefix(name, workspace.OwnPrefix) || !strings.Contains(name, "-"+prefix+"-") {
			t.Errorf("%s does not tell the guard %s", name, prefix)
		}
	}
	if a, b := newName(), newName(); a == b {
		t.Error("two names are the same")
	}
}
