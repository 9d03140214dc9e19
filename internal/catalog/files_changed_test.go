package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestFilesChanged: what differs between two lists, whatever was made, changed and
// removed between them.
func TestFilesChanged(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"b", "d/x", "d/y", "e", "f"} {
		write(name, name)
	}
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	c := New()
	defer c.Close()
	list := func() *Files {
		f, err := c.Files(t.Context(), gate)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	changed := func(now, since *Files, limit int) (names []string) {
		changes, count := now.Changed(since, limit)
		for _, ch := range changes {
			names = append(names, fmt.Sprint(ch.Path.Rel, " ", ch.Created, " ", ch.Gone))
		}
		if len(changes) != min(count, limit) {
			t.Errorf("%d of %d, limit %d", len(changes), count, limit)
		}
		return names
	}
	first := list()
	if got := changed(list(), first, 9); got != nil {
		t.Errorf("nothing changed, but %v", got)
	}
	write("a", "new")
	write("d/x", "changed")
	write("z/z", "new")
	_ = os.Remove(filepath.Join(dir, "e"))
	_ = os.Remove(filepath.Join(dir, "f"))
	second := list()
	want := []string{"a true false", "d/x false false", "e false true", "f false true", "z/z true false"}
	if got := changed(second, first, 9); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := changed(second, first, 2); !slices.Equal(got, want[:2]) {
		t.Errorf("%q, want %q", got, want[:2])
	}
	back := []string{"a false true", "d/x false false", "e true false", "f true false", "z/z false true"}
	if got := changed(first, second, 9); !slices.Equal(got, back) {
		t.Errorf("%q, want %q", got, back)
	}
	if _, count := second.ChangedAfter(time.Now().Add(time.Hour), 9); count != 0 {
		t.Errorf("%d files are of the future", count)
	}
	if changes, count := second.ChangedAfter(time.Now().Add(-time.Hour), 2); count != len(second.List) || len(changes) != 2 {
		t.Errorf("%d, %d of %d files are new", len(changes), count, len(second.List))
	}
	other, _ := workspace.NewGate(nil, []workspace.Folder{{Path: filepath.Join(dir, "d")}}, settings.Default())
	if f, err := c.Files(t.Context(), other); err != nil || changed(f, first, 9) != nil {
		t.Errorf("lists of other folders are compared: %v", err)
	}
}
