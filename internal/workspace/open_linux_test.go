package workspace

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestNotAFile: what is no regular file is refused at once. A FIFO without a
// writer would block a plain open for ever, and with it this test.
func TestNotAFile(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"to-fifo":    "-> fifo",
		"to-null":    "-> /dev/null",
		"to-environ": "-> /proc/self/environ",
	})
	disktest.Must(t, unix.Mkfifo(dir+"/fifo", 0o644))
	l, err := net.Listen("unix", dir+"/socket")
	disktest.Must(t, err)
	defer l.Close()
	project := gateOn(t, nil, dir)
	system := gateOn(t, nil, "/")
	proc := gateOn(t, nil, "/proc")
	for _, tt := range []struct {
		g    *Gate
		arg  string
		kind fault.Kind
	}{
		{project, "fifo", fault.NotAFile},
		{project, "to-fifo", fault.NotAFile},
		{project, "socket", fault.NotAFile},
		{project, "to-null", fault.OutsideWorkspace},
		{project, "to-environ", fault.OutsideWorkspace},
		{system, "/dev/null", fault.NotAFile},
		{system, "/dev/tty", fault.NotAFile},
		{system, "/proc/self/environ", fault.NotAFile},
		{system, "/proc/self/root/etc/passwd", ""},
		{system, "/proc/version", fault.NotAFile},
		{system, dir + "/to-environ", fault.NotAFile},
		{system, "/sys/kernel/uevent_seqnum", fault.NotAFile},
		{system, "/etc/passwd", ""},
		{proc, "version", fault.NotAFile},
	} {
		_, err := read(t, tt.g, tt.arg)
		disktest.CheckKind(t, tt.arg, err, tt.kind)
		p, err := tt.g.Resolve(tt.arg, nil)
		disktest.Must(t, err)
		_, err = tt.g.Stat(p)
		disktest.CheckKind(t, "Stat "+tt.arg, err, tt.kind)
	}
	p, err := project.FromURI(fileURI(dir + "/fifo"))
	disktest.Must(t, err)
	_, err = project.OpenDocument(p)
	disktest.CheckKind(t, "OpenDocument of a FIFO", err, fault.NotAFile)
}

// TestSparseFile: a file's size costs nothing until it is read.
func TestSparseFile(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"huge": ""})
	if err := os.Truncate(dir+"/huge", 1<<40); err != nil {
		t.Logf("this file system has no sparse files of that size: %v", err)
		return
	}
	g := gateOn(t, nil, dir)
	p, err := g.Resolve("huge", nil)
	disktest.Must(t, err)
	id, err := g.Stat(p)
	if err != nil || id.Size != 1<<40 {
		t.Errorf("size %d, %v", id.Size, err)
	}
}

// TestSwappedLink opens a path thousands of times while names in it are
// exchanged for links that lead out, or to a private file: the secret must
// never be read, and the honest file must be at times.
func TestSwappedLink(t *testing.T) {
	rounds := testscale.Of(3000, 600)
	for _, tt := range []struct {
		name  string
		files map[string]string
		a, b  string // exchanged
		open  string
	}{
		{
			"file against link out",
			map[string]string{"proj/f": "honest", "proj/l": "-> $DIR/out/secret"}, "proj/f", "proj/l", "f",
		}, {
			"file against relative link out",
			map[string]string{"proj/f": "honest", "proj/l": "-> ../out/secret"}, "proj/f", "proj/l", "f",
		}, {
			"folder against link out",
			map[string]string{"proj/d/secret": "honest", "proj/l": "-> $DIR/out"}, "proj/d", "proj/l", "d/secret",
		}, {
			"inner folder against link out",
			map[string]string{"proj/d/e/secret": "honest", "proj/d/l": "-> ../../out"}, "proj/d/e", "proj/d/l", "d/e/secret",
		}, {
			"link in against link out",
			map[string]string{"proj/real": "honest", "proj/f": "-> $DIR/proj/real", "proj/l": "-> $DIR/out/secret"}, "proj/f", "proj/l", "f",
		}, {
			"file against link to a private file",
			map[string]string{"proj/f": "honest", "proj/.env": "secret", "proj/l": "-> .env"}, "proj/f", "proj/l", "f",
		}, {
			"folder against link to a private folder",
			map[string]string{"proj/d/key": "honest", "proj/.ssh/key": "secret", "proj/l": "-> $DIR/proj/.ssh"}, "proj/d", "proj/l", "d/key",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.files["out/secret"] = "secret"
			dir := disktest.Tree(t, tt.files)
			g := gateOn(t, nil, filepath.Join(dir, "proj"))
			p, err := g.Resolve(tt.open, nil)
			disktest.Must(t, err)
			secret, err := os.ReadFile(dir + "/out/secret")
			disktest.Must(t, err)
			private := secretID(t, dir, tt.files)

			stop := disktest.Swapper(t, filepath.Join(dir, tt.a), filepath.Join(dir, tt.b))
			honest, refused := 0, 0
			for i := 0; i < rounds || honest == 0 && i < 100*rounds; i++ { // a busy machine may exchange seldom
				h, err := g.Open(p)
				if err != nil {
					refused++
					checkChangedPathError(t, err)
					continue
				}
				got := make([]byte, 16)
				n, _ := h.File.ReadAt(got, 0)
				h.Close()
				if string(got[:n]) == string(secret) {
					t.Fatal("a secret was read")
				}
				honest++
				if id, err := g.Stat(p); err == nil && private[id.Ino] {
					t.Fatal("a secret was looked at")
				}
			}
			exchanges := stop()
			t.Logf("%d read, %d refused, %d exchanges", honest, refused, exchanges)
			if honest == 0 || exchanges == 0 {
				t.Error("the race did not take place")
			}
		})
	}
}

// secretID returns the inodes of the files whose content is "secret".
func secretID(t *testing.T, dir string, files map[string]string) map[uint64]bool {
	t.Helper()
	secret := make(map[uint64]bool)
	for name, content := range files {
		if content == "secret" {
			st, err := fsys.StatPath(filepath.Join(dir, name))
			disktest.Must(t, err)
			secret[st.ID.Ino] = true
		}
	}
	return secret
}

// checkChangedPathError allows the errors that tell what stood there at some moment;
// a link met where a folder is wanted is "not a folder" to the system.
func checkChangedPathError(t *testing.T, err error) {
	t.Helper()
	switch fault.KindOf(err) {
	case fault.OutsideWorkspace, fault.PermissionDenied, fault.NotFound, fault.NotDirectory:
	default:
		t.Errorf("a race ended in %v", err)
	}
	if errors.Is(err, fsys.ErrPathChanged) {
		t.Errorf("the inner error came out: %v", err)
	}
}

// TestDeletedWhileOpening: what /proc says about a removed file must not
// pass for a path; a replaced file is simply opened again.
func TestDeletedWhileOpening(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a": "one"})
	f, err := os.Open(dir + "/a")
	disktest.Must(t, err)
	disktest.Must(t, os.Remove(dir+"/a"))
	if _, err := fsys.NewHandle(f, dir+"/a", nil); !errors.Is(err, fsys.ErrPathChanged) {
		t.Errorf("a removed file gave %v", err)
	}
	disktest.Plant(t, dir, "b (deleted)", "two")
	disktest.Plant(t, dir, "link", "-> b (deleted)")
	g := gateOn(t, nil, dir)
	for _, arg := range []string{"b (deleted)", "link"} {
		if got, err := read(t, g, arg); got != "two" {
			t.Errorf("a file called so, by %s: %q, %v", arg, got, err)
		}
	}
}

// TestLongPath: the real path of an open file is known at any length that a
// path can have.
func TestLongPath(t *testing.T) {
	name := strings.Repeat("n", 250)
	long := strings.Repeat(name+"/", 14) + "file"
	g := gateOn(t, nil, disktest.Tree(t, map[string]string{long: "deep"}))
	if got, err := read(t, g, long); got != "deep" {
		t.Errorf("%q, %v", got, err)
	}
	p, err := g.Resolve(long, nil)
	disktest.Must(t, err)
	h, err := g.Open(p)
	disktest.Must(t, err)
	defer h.Close()
	if h.Real != p.Abs {
		t.Errorf("the real path is %d bytes long, want %d", len(h.Real), len(p.Abs))
	}
	_, err = read(t, g, strings.Repeat(name+"/", 16)+"file")
	disktest.CheckKind(t, "longer", err, fault.NotFound)
	_, err = read(t, g, strings.Repeat(name+"/", 17)+"file")
	disktest.CheckKind(t, "longer than paths can be", err, fault.InvalidParams)
}

// TestFolderMadeAnewMeanwhile: readers and a folder that comes and goes do
// not disturb each other.
func TestFolderMadeAnewMeanwhile(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"proj/a": "a"})
	g := gateOn(t, nil, dir+"/proj")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				if got, err := read(t, g, "a"); err == nil && got != "a" {
					t.Errorf("read %q", got)
				} else if err != nil && fault.KindOf(err) != fault.NotFound {
					t.Error(err)
				}
			}
		})
	}
	disktest.Must(t, os.Mkdir(dir+"/next", 0o755))
	for range 200 {
		disktest.Plant(t, dir, "next/a", "a")
		disktest.Must(t, unix.Renameat2(unix.AT_FDCWD, dir+"/proj", unix.AT_FDCWD, dir+"/next", unix.RENAME_EXCHANGE))
		disktest.Must(t, os.RemoveAll(dir+"/next"))
		disktest.Must(t, os.Mkdir(dir+"/next", 0o755))
	}
	wg.Wait()
	if got, err := read(t, g, "a"); got != "a" {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}
