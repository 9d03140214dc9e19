package workspace

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func keptFolder(t *testing.T) (*KeptFolder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "kept")
	k, err := OpenKeptFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return k, dir
}

func TestKeptNamesAreNamesAlone(t *testing.T) {
	k, _ := keptFolder(t)
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".x", "a\x00", "a:b"} {
		if f, err := k.Create(name); fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("%q is taken: %v %v", name, f, err)
		}
		if k.Remove(name) {
			t.Errorf("%q is removed", name)
		}
	}
	if _, err := OpenKeptFolder("relative"); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("%v", err)
	}
}

// TestWhatIsWrittenIsNotRemoved: not by another opening of the folder either,
// which stands for another process.
func TestWhatIsWrittenIsNotRemoved(t *testing.T) {
	k, dir := keptFolder(t)
	other, err := OpenKeptFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Create("x"); fault.KindOf(err) != fault.AlreadyExists {
		t.Errorf("%v", err)
	}
	if k.Remove("x") || other.Remove("x") {
		t.Error("removed while it is written")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !other.Remove("x") || !k.Remove("x") {
		t.Error("not removed, or not known to be gone")
	}
}

// TestUpdatesAreOneAfterTheOther: none is lost, and the file is always whole.
func TestUpdatesAreOneAfterTheOther(t *testing.T) {
	_, dir := keptFolder(t)
	var wg sync.WaitGroup
	for range 4 {
		k, err := OpenKeptFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 25 {
				err := k.Update("n", func(old []byte) ([]byte, error) {
					n, _ := strconv.Atoi(string(old)) // none is 0
					return strconv.AppendInt(nil, int64(n+1), 10), nil
				})
				if err != nil {
					t.Error(err)
				}
				if raw, err := k.Read("n"); err != nil || len(raw) == 0 {
					t.Errorf("%q %v", raw, err)
				}
			}
		})
	}
	wg.Wait()
	if raw, err := os.ReadFile(filepath.Join(dir, "n")); string(raw) != "100" || err != nil {
		t.Errorf("%s %v", raw, err)
	}
}

// TestOutputsAreReadThroughTheGate: in a workspace that is the whole disk as
// well, and never past the folder.
func TestOutputsAreReadThroughTheGate(t *testing.T) {
	k, dir := keptFolder(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"x.stdout": "text", "secrets.stdout": "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.stdout")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x.stdout", filepath.Join(dir, "near.stdout")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{t.TempDir(), "/"} {
		plain, _ := NewGate(nil, []Folder{{Path: root}}, DefaultSettings())
		g := plain.WithOutputs(k)
		for arg, want := range map[string]string{
			"/.outputs/x.stdout": "text", "/.outputs//./x.stdout": "text", "file:///.outputs/x.stdout": "text", "/.outputs/secrets.stdout": "mine",
			"/.outputs/none.stdout": "not_found", "/.outputs": "not_found", "/.outputs/link.stdout": "outside_workspace", "/.outputs/near.stdout": "outside_workspace",
		} {
			if got := readThrough(g, arg); got != want {
				t.Errorf("%s in %s: %s, want %s", arg, root, got, want)
			}
		}
		p, err := g.Resolve("/.outputs/x.stdout", nil)
		if err != nil || p.Rel != "/.outputs/x.stdout" || p.Key() != filepath.FromSlash("/.outputs/x.stdout") {
			t.Errorf("%+v %v", p, err)
		}
		if err := g.CheckRead(p); err != nil {
			t.Error(err)
		}
		if err := g.CheckWrite(p.Consented()); fault.KindOf(err) != fault.ReadOnly {
			t.Errorf("%v", err)
		}
		if len(g.Roots()) != 1 {
			t.Errorf("%v", g.Roots())
		}
		if got := readThrough(plain, "/.outputs/x.stdout"); got == "text" {
			t.Error("read without the folder")
		}
	}
}

func readThrough(g *Gate, arg string) string {
	p, err := g.Resolve(arg, nil)
	if err != nil {
		return string(fault.KindOf(err))
	}
	h, err := g.Open(p)
	if err != nil {
		return string(fault.KindOf(err))
	}
	defer h.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(h.File); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()
}
