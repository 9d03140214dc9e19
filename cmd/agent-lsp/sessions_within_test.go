//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// anywhere reads files as each kind of caller does that was started in dir and was
// told no folder: over MCP, with a host that says where it works, and, the first of
// them, by a command. Of pairs, of a path and a word, it wants the answer about the
// one to hold the other.
func (w *world) anywhere(dir string, pairs ...string) {
	w.Helper()
	hosts := map[string]*mcpHost{"mcp": w.hostIn(dir, "host", m{}, nil), "mcp with roots": w.hostIn("/", "host", m{}, []string{dir})}
	for i := 0; i < len(pairs); i += 2 {
		path, word := pairs[i], pairs[i+1]
		for name, h := range hosts {
			if text := h.want("read_file", m{"path": path}); !strings.Contains(text, word) {
				w.Errorf("%s in %s: %s should have %q:\n%s", name, dir, path, word, text)
			}
		}
	}
	if out := w.command(dir, "read-file", pairs[0]); !strings.Contains(out, pairs[1]) {
		w.Errorf("a command in %s: %s should have %q:\n%s", dir, pairs[0], pairs[1], out)
	}
}

// command runs one in a folder, and returns what it printed, its error included.
func (w *world) command(dir string, args ...string) string {
	w.Helper()
	out, _ := w.prepared(dir, args...).CombinedOutput()
	return string(out)
}

// TestStartedInsideASessionsFolder: what the folder lies in can be named as well,
// and nothing else of the session; paths start where the caller works.
func TestStartedInsideASessionsFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"proj/util.py": "saved\n", "proj/closed.py": "closed\n", "proj/sub/main.py": "main\n", "proj/sub/deep/x.py": "deep\n", "proj/lib/y.py": "lib\n",
		"second/z.py": "second\n", "beside/b.py": "beside\n", "open.py": "outside\n",
	})
	w.must(os.Symlink(w.path("proj/sub"), w.path("link")))
	e := w.open(w.path("proj"), w.path("second"))
	for _, name := range []string{"proj/util.py", "open.py"} {
		e.show(name)
		e.typeInto(name, "un")
	}
	sub := w.path("proj/sub")
	for _, dir := range []string{sub, w.path("link")} {
		w.anywhere(dir,
			"../util.py", "unsaved", "../closed.py", "closed", w.path("proj/lib/y.py"), "lib", "main.py", "main", "deep/x.py", "deep",
			w.path("second/z.py"), "outside_workspace", "../../second/z.py", "outside_workspace", "../../beside/b.py", "outside_workspace",
			"../../open.py", "unoutside", // it is open
		)
	}
	h := w.hostIn(sub, "host", m{}, nil)
	if text := h.want("find_files", m{"pattern": "*.py"}, "main.py"); strings.Contains(text, "util.py") {
		t.Errorf("what the folder lies in is searched unasked:\n%s", text)
	}
	h.want("grep_files", m{"pattern": "saved", "path": ".."}, w.path("proj/util.py"), "unsaved")
	h.want("list_directory", m{"path": ".."}, "util.py", "sub")
	h.want("grep_files", m{"pattern": "second", "path": "../../second"}, "outside_workspace")
	h.want("edit_file", m{"path": "../util.py", "expected_hash": hashIn(h.want("read_file", m{"path": "../util.py"})), "old_text": "unsaved", "new_text": "edited"}, "util.py")
	if text := e.text(w.path("proj/util.py")); text != "edited\n" {
		t.Errorf("the buffer is %q", text)
	}
	patch := "*** Begin Patch\n*** Update File: ../closed.py\n-closed\n+patched\n*** Update File: main.py\n-main\n+patched\n*** End Patch\n"
	h.want("read_file", m{"path": "../closed.py"})
	h.want("read_file", m{"path": "main.py"})
	h.want("apply_patch", m{"patch": patch}, "closed.py", "main.py")
	h.want("write_file", m{"path": "../made.py", "content": "made\n"}, "made.py")
	h.want("write_file", m{"path": "../../second/made.py", "content": "made\n"}, "outside_workspace")
	on := w.disk()
	if on["proj/closed.py"] != "patched\n" || on["proj/sub/main.py"] != "patched\n" || on["proj/made.py"] != "made\n" || on["second/made.py"] != "" {
		t.Errorf("the disk has %q", on)
	}

	// A folder that was named is a limit, and so are several of a client's.
	limited := w.hostIn(sub, "host", m{}, nil, "--root", sub)
	limited.want("read_file", m{"path": "../closed.py"}, "outside_workspace")
	limited.want("read_file", m{"path": "../util.py"}, "edited") // it is open
	limited.want("write_file", m{"path": "../closed.py", "content": "x"}, "outside_workspace")
	several := w.hostIn(sub, "host", m{}, []string{sub, w.path("proj/lib")})
	several.want("read_file", m{"path": w.path("proj/closed.py")}, "outside_workspace")
	several.want("read_file", m{"path": "y.py"}, "lib")
	if out := w.command(sub, "read-file", "../closed.py", "--root", "."); !strings.Contains(out, "outside_workspace") {
		t.Errorf("a limit of a command: %s", out)
	}

	// Above and beside: the caller's own folder stays.
	w.anywhere(w.root, "beside/b.py", "beside", "proj/util.py", "edited")
	w.anywhere(w.path("beside"), "../proj/util.py", "edited", "b.py", "beside", "../proj/lib/y.py", "outside_workspace")

	e.close()
	w.anywhere(sub, "../util.py", "outside_workspace")
}

// TestHomeIsNoProject: an editor that has the whole home folder open, or all of the
// disk, widens nothing.
func TestHomeIsNoProject(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"home", ".", "/"} {
		w := newWorld(t, nil)
		w.run = w.path("home")
		w.write("home/other/closed.py", "closed\n")
		w.write("home/proj/a.py", "a\n")
		w.write("home/proj/open.py", "saved\n")
		if !filepath.IsAbs(root) {
			root = w.path(root)
		}
		e := w.openAs(fakeeditor.Neovim(fakeeditor.Root{Name: "all", Dir: root}))
		e.show("home/proj/open.py")
		e.typeInto("home/proj/open.py", "un")
		w.anywhere(w.path("home/proj"), "../other/closed.py", "outside_workspace", "open.py", "unsaved")
		e.close()
	}
}

// TestUnreachableFromInside: the files of a registered editor that does not answer
// are not written behind it, however they are named, and a read says that it is of
// the disk.
func TestUnreachableFromInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"proj/util.py": "saved\n", "proj/sub/main.py": "main\n"})
	e := w.open(w.path("proj"))
	e.show("proj/util.py")
	e.typeInto("proj/util.py", "un")
	e.stop()
	defer func() { w.must(e.cmd.Process.Signal(syscall.SIGCONT)) }()
	sub := w.path("proj/sub")
	h := w.hostIn(sub, "host", m{}, nil)
	for _, path := range []string{"../util.py", w.path("proj/util.py")} {
		text := h.want("read_file", m{"path": path}, "1|saved", "does not answer")
		h.want("edit_file", m{"path": path, "expected_hash": hashIn(text), "old_text": "saved", "new_text": "x"}, "session_unreachable")
	}
	h.want("write_file", m{"path": "../new.py", "content": "x"}, "session_unreachable")
	h.want("apply_patch", m{"patch": "*** Begin Patch\n*** Add File: ../new.py\n+x\n*** End Patch\n"}, "session_unreachable")
	h.want("grep_files", m{"pattern": "saved", "path": ".."}, "saved", "does not answer")
	if out := w.command(sub, "write-file", "../new.py", "--content", "x"); !strings.Contains(out, "session_unreachable") {
		t.Errorf("a command writes: %s", out)
	}
	if out := w.command(sub, "read-file", "../util.py"); !strings.Contains(out, "saved") || !strings.Contains(out, "does not answer") {
		t.Errorf("a command reads: %s", out)
	}
	if on := w.disk(); on["proj/util.py"] != "saved\n" || on["proj/new.py"] != "" || on["proj/sub/new.py"] != "" {
		t.Errorf("the disk has %q", on)
	}
}
