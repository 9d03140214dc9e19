package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// TestListEntryJSON: what is encoded by hand is what the tags say.
func TestListEntryJSON(t *testing.T) {
	size := int64(1 << 40)
	none := int64(0)
	entries := []listEntry{
		{},
		{Name: "a", Type: catalog.RegularFile, Size: &none},
		{Name: "\"\\\x01\n\u2028é\xff", Type: catalog.Symlink, Target: "\t<&>\xfe", URI: "file:///%FF", Depth: 3},
		{Name: "b", Type: catalog.Directory, Depth: 1, Modified: "2026-01-02T03:04:05Z", Ignored: true},
		{Name: "c", Type: catalog.RegularFile, Size: &size, Open: true, Dirty: true, Unsaved: true},
	}
	out := &listOutput{Path: "d\"\xff", URI: "file:///d", listCounts: listCounts{Total: 9, More: true, Cursor: "f/c", Notes: []string{"n"}}}
	check := func() {
		want, err := wire.Marshal(struct {
			Path    string      `json:"path"`
			URI     string      `json:"uri,omitempty"`
			Entries []listEntry `json:"entries"`
			listCounts
		}{out.Path, out.URI, out.Entries, out.listCounts})
		if err != nil {
			t.Fatal(err)
		}
		got, err := out.AppendJSON([]byte("x"))
		if err != nil || string(got) != "x"+string(want) {
			t.Errorf("%v\ngot  %s\nwant x%s", err, got, want)
		}
	}
	check()
	for i := range entries {
		out.Entries = entries[:i+1]
		out.shown.add(&entries[i])
		check()
	}
}

// TestListKept: entries that are kept encoded are shown like others, whatever
// of them a call asks for.
func TestListKept(t *testing.T) {
	dir := t.TempDir()
	for i := range minKept + 100 {
		name := fmt.Sprintf("file%d.go", i)
		if i%50 == 0 {
			name = fmt.Sprintf("file%d.log", i) // ignored
		}
		write(t, filepath.Join(dir, name), strings.Repeat("x", i))
	}
	write(t, filepath.Join(dir, ".gitignore"), "*.log\n")
	if err := os.Symlink("file1.go", filepath.Join(dir, "file7link")); err != nil {
		t.Skip(err)
	}
	env := newTestEnv(t, dir)
	for _, all := range []bool{false, true} {
		for _, limit := range []int{5000, minKept + 20, 10} {
			l := &lister{ctx: t.Context(), env: env, all: all, out: &listOutput{}}
			top, err := l.top("")
			if err != nil {
				t.Fatal(err)
			}
			top.list = top.list[3:min(len(top.list), limit)]
			l.show(*top, 0)
			fresh := &lister{ctx: t.Context(), env: env, out: &listOutput{}}
			var clock stamps
			for i := range top.list {
				fresh.showOne(top, &top.list[i], nil, 0, &clock)
			}
			got, want := l.out.shown, fresh.out.shown
			if string(got.json) != string(want.json) || string(got.text) != string(want.text) || got.count != want.count || got.count == 0 {
				t.Errorf("all %v, limit %d: %d entries, want %d", all, limit, got.count, want.count)
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
