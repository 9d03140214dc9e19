package workspace

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

// TestOutputsAreReadThroughTheGate: in a workspace that is the whole disk as
// well, and never past the folder.
func TestOutputsAreReadThroughTheGate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "kept")
	k, err := statedir.OpenKeptFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
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
		plain, _ := NewGate(nil, []Folder{{Path: root}}, settings.Default())
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
		if len(g.Folders()) != 1 {
			t.Errorf("%v", g.Folders())
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
