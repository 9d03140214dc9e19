//go:build unix

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// TestRevertIsASessionsOwn: by a change's id a caller gets nothing changed that
// it could not change by the file's name, whatever folders it names.
func TestRevertIsASessionsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"home/open.txt": "one\n", "home/proj/a.txt": "one\n", "home/proj/.mcp.json": "one\n"})
	e := w.open(w.path("home/proj"))
	for _, name := range []string{"home/open.txt", "home/proj/a.txt", "home/proj/.mcp.json"} {
		e.show(name)
	}
	c, home := w.dial(e), w.path("home")
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	change := func(name string) (id string) {
		t.Helper()
		_, body := c.call("edit_file", m{"path": w.path(name), "expected_hash": w.assistant("", home).hash(w.path(name)), "old_text": "one", "new_text": "1"}, home)
		var out struct {
			ID string `json:"id"`
		}
		w.must(json.Unmarshal([]byte(body), &out))
		if e.text(w.path(name)) != "1\n" {
			t.Fatalf("%s: %s", name, body)
		}
		return out.ID
	}
	outside, inside, protected := change("home/open.txt"), change("home/proj/a.txt"), change("home/proj/.mcp.json")
	revert := func(id, kind string, roots ...string) {
		t.Helper()
		if head, body := c.call("revert_edit", m{"id": id}, roots...); head["kind"] != kind {
			t.Errorf("%s with %v: %v %s", id, roots, head, body)
		}
	}

	e.Behave(fakeeditor.Behaviour{Consent: "reject"})
	for _, root := range []string{"/", home, w.path("home/proj")} {
		revert(outside, "rejected_by_user", root)
		revert(protected, "rejected_by_user", root)
		revert("edit-9-none", "not_found", root)
	}
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	for _, name := range []string{"home/open.txt", "home/proj/.mcp.json"} {
		w.must(e.Save(w.path(name)))
		w.must(e.Close(w.path(name)))
	}
	e.sync()
	before := w.disk()
	for _, roots := range [][]string{{"/"}, {home}, {home, w.path("home/proj")}, nil} {
		if head, body := c.call("revert_edit", m{"id": outside}, roots...); head["kind"] == nil || strings.Contains(body, "one") {
			t.Errorf("%v: closed outside of the session's folders: %v %s", roots, head, body)
		}
	}
	if after := w.disk(); after["home/open.txt"] != before["home/open.txt"] || before["home/open.txt"] != "1\n" {
		t.Errorf("%q is %q", before["home/open.txt"], after["home/open.txt"])
	}

	if head, body := c.call("revert_edit", m{"id": inside}, home); head["kind"] != nil || e.text(w.path("home/proj/a.txt")) != "one\n" {
		t.Errorf("inside: %v %s", head, body)
	}
}

// TestOutputIsKeptInItsFolder: what a caller has a session keep is a file below
// /.outputs/ alone, whatever it is named and whichever folders the caller names.
func TestOutputIsKeptInItsFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"home/note.txt": "note\n", "home/proj/a.txt": "one\n"})
	e := w.open(w.path("home/proj"))
	c := w.dial(e)
	before := w.disk()
	for _, id := range []string{"../../note.txt", w.path("home/note.txt"), "a/../../b", "..", ".", "\x00", "/.outputs/x", strings.Repeat("x", 5000), ""} {
		head, body := c.call("persist_output", m{"id": id, "stdout": "kept\n"}, "/", w.path("home"))
		var out struct {
			Files []string `json:"output_files"`
		}
		if head["kind"] != nil || json.Unmarshal([]byte(body), &out) != nil || len(out.Files) == 0 {
			t.Errorf("%.20q: %v %s", id, head, body)
			continue
		}
		for _, file := range out.Files {
			if filepath.Dir(file) != "/.outputs" || strings.Contains(file, "..") {
				t.Errorf("%.20q is kept as %s", id, file)
			}
		}
		if _, body := c.call("read_file", m{"path": out.Files[0]}, "/"); !strings.Contains(body, "kept") {
			t.Errorf("%.20q: %s", id, body)
		}
	}
	for name, text := range w.disk() {
		if before[name] != text {
			t.Errorf("%s was written: %q", name, text)
		}
	}
	for _, path := range []string{"/.outputs/../home/note.txt", "/.outputs/../../etc/passwd"} {
		if head, body := c.call("read_file", m{"path": path}, "/"); head["kind"] == nil {
			t.Errorf("%s: %s", path, body)
		}
	}
}
