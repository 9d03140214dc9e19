//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// homeWorld is a workspace that is the home folder of its processes.
func homeWorld(t *testing.T) *world {
	w := newWorld(t, nil)
	w.root = w.run
	return w
}

// ownOf are files that the processes of a world believe, by names in its home
// folder; each by one that does and one that does not exist.
func (w *world) ownOf() []string {
	w.write(".config/agent-lsp/config.json", "{}\n")
	w.write("state/agent-lsp/journal/1.txt", "{}\n")
	w.write("cache/agent-lsp/stats.json", "{}\n")
	w.must(os.Symlink(".config/agent-lsp", w.path("dots")))
	w.must(os.Link(w.path(".config/agent-lsp/config.json"), w.path("hard.json")))
	return []string{
		".config/agent-lsp/config.json", "dots/config.json", "hard.json", "state/agent-lsp/journal/1.txt", "cache/agent-lsp/stats.json",
		"dots/new.json", ".CONFIG/AGENT-LSP/config.json", ".local/state/agent-lsp/x", "state/agent-lsp/journal/2.journal", "agent-lsp/1.json",
		"agent-lsp-" + itoa(os.Geteuid()) + "/1.json", ".agent-lsp-swap-1",
	}
}

// changes are calls that would make or change a file, by their tools.
func changes(file string) map[string]m {
	return map[string]m{
		"write_file": {"path": file, "content": `{"exec.enabled":true}`},
		"edit_file":  {"path": file, "old_text": "{}", "new_text": `{"exec.enabled":true}`, "expected_hash": text.HashBytes([]byte("{}\n")).String()},
		"apply_patch": {"patch": "*** Begin Patch\n*** Update File: a.txt\n*** Move to: " + file + "\n*** End Patch",
			"expected_hashes": m{"a.txt": text.HashBytes([]byte("a\n")).String()}},
	}
}

// TestOwnFilesAreNotWritten: where this program keeps settings, state, cache
// and sockets, as the environment says, no tool writes, over MCP, over a
// session and by command.
func TestOwnFilesAreNotWritten(t *testing.T) {
	t.Parallel()
	w := homeWorld(t)
	w.write("a.txt", "a\n")
	own := w.ownOf()
	check := func(way string) {
		t.Helper()
		for _, file := range own[:5] {
			if raw, err := os.ReadFile(w.path(file)); string(raw) != "{}\n" {
				t.Errorf("%s: %s holds %q (%v)", way, file, raw, err)
			}
		}
		for _, file := range own[5:] {
			if _, err := os.Lstat(w.path(file)); err == nil {
				t.Errorf("%s: %s was made", way, file)
			}
		}
	}
	h := w.host()
	refused := func(way string) {
		t.Helper()
		for _, file := range own {
			for tool, arguments := range changes(file) {
				kind, _, _ := strings.Cut(h.want(tool, arguments), ":")
				if kind != "permission_denied" && kind != "not_found" && kind != "already_exists" {
					t.Errorf("%s, %s of %s: %s", way, tool, file, kind)
				}
			}
		}
		check(way)
	}
	refused("on disk")
	e := w.open()
	for _, file := range own[:3] {
		_, err := e.Open(w.path(file), "")
		w.must(err)
	}
	refused("over a session")
	e.close()
	if out, code := w.runProgram("write-file", filepath.Join(w.root, "dots/new.json"), "--content", "{}", "--root", w.root); code == 0 {
		t.Errorf("by command: %s", out)
	}
	check("by command")
}

// TestWideWorkspaceIsTold: that the workspace is the home folder is told with
// the first answer, once, and by the doctor.
func TestWideWorkspaceIsTold(t *testing.T) {
	t.Parallel()
	const said = "the workspace holds the person's home folder"
	w := homeWorld(t)
	w.write("a.txt", "a\n")
	h := w.host()
	h.want("read_file", m{"path": "a.txt"}, said)
	if again := h.want("read_file", m{"path": "a.txt"}); strings.Contains(again, said) {
		t.Errorf("it is told again: %s", again)
	}
	if out, _ := w.runProgram("doctor", "--root", w.root); !strings.Contains(out, said) {
		t.Error(out)
	}
	other := newWorld(t, map[string]string{"a.txt": "a\n"})
	if text := other.host().want("read_file", m{"path": "a.txt"}); strings.Contains(text, said) {
		t.Errorf("told of a project: %s", text)
	}
}

// TestSettingsOfOthersLoosenNothing: settings that others may write turn no
// commands on, and that is said.
func TestSettingsOfOthersLoosenNothing(t *testing.T) {
	t.Parallel()
	w := homeWorld(t)
	w.write(".config/agent-lsp/config.json", `{"exec.enabled":true}`)
	if out, code := w.runProgram("doctor", "--root", w.root); code != 0 || strings.Contains(out, "others can change") {
		t.Errorf("exit %d: %s", code, out)
	}
	w.must(os.Chmod(w.path(".config/agent-lsp/config.json"), 0o666))
	if out, code := w.runProgram("doctor", "--root", w.root); code != 1 || !strings.Contains(out, "others can change the settings file") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := w.runProgram("run-command", "echo ran", "--root", w.root); code == 0 || strings.Contains(out, "ran") {
		t.Errorf("exit %d: %s", code, out)
	}
	e := w.open()
	for !strings.Contains(strings.Join(e.Messages(), "\n"), "others can change the settings file") {
		w.must(e.Await(t.Context(), "window/showMessage")) // each problem has a message of its own
	}
}

// TestHiddenDocumentsAreNoResources: what policy keeps from agents is not named
// among the open documents, nor read nor watched as one.
func TestHiddenDocumentsAreNoResources(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "a\n", ".env": "SECRET=1\n", "kept.txt": "k\n", ".agentignore": "kept.txt\n"})
	e := w.open()
	for _, file := range []string{"a.txt", ".env", "kept.txt"} {
		_, err := e.Open(w.path(file), "")
		w.must(err)
	}
	h := w.host()
	h.want("open_files", m{}, "a.txt", "2 more hidden by policy")
	for method, params := range map[string]m{
		"resources/list":      {},
		"resources/read":      {"uri": "file://" + w.path(".env")},
		"resources/subscribe": {"uri": "file://" + w.path("kept.txt")},
	} {
		id, line := `"id":`+itoa(h.send(method, params))+",", ""
		for !strings.Contains(line, id) { // it may also tell that the list changed
			var err error
			line, err = h.lines.ReadString('\n')
			w.must(err)
		}
		listed := method == "resources/list"
		if strings.Contains(line, "SECRET") || listed == strings.Contains(line, `"error"`) || listed && (strings.Contains(line, ".env") || strings.Contains(line, "kept.txt")) {
			t.Errorf("%s: %s", method, line)
		}
		if listed && !strings.Contains(line, "a.txt") {
			t.Errorf("what is open is not listed: %s", line)
		}
	}
}
