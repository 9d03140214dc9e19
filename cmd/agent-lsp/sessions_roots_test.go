//go:build unix

package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// rawClient is a connection to a session's socket whose owner may send what it
// likes.
type rawClient struct {
	*world
	conn  net.Conn
	last  int
	heard string // the bodies of events
}

// dial connects to the socket of an editor's session.
func (w *world) dial(e *editor) *rawClient {
	w.Helper()
	conn, err := net.Dial("unix", answerSocket(w.assistant("", w.run, w.root), e))
	w.must(err)
	w.must(conn.SetDeadline(time.Now().Add(60 * time.Second)))
	w.Cleanup(func() { conn.Close() })
	c := &rawClient{world: w, conn: conn}
	c.send(m{"do": "hello", "protocol": 1, "client": m{"name": "raw"}}, "")
	if head, _ := c.next(); head["do"] != "hello" {
		w.Fatalf("got %v", head)
	}
	return c
}

func (c *rawClient) send(header m, body string) {
	c.Helper()
	raw, err := json.Marshal(header)
	c.must(err)
	frame := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(raw))), uint32(len(body)))
	_, err = c.conn.Write(append(append(frame, raw...), body...))
	c.must(err)
}

// next returns the next frame.
func (c *rawClient) next() (header m, body string) {
	c.Helper()
	if header, body = c.read(); header == nil {
		c.Fatal("the connection ended")
	}
	return header, body
}

// read returns the next frame; nil when none comes.
func (c *rawClient) read() (header m, body string) {
	c.Helper()
	var lengths [8]byte
	if _, err := io.ReadFull(c.conn, lengths[:]); err != nil {
		return nil, ""
	}
	head := binary.BigEndian.Uint32(lengths[:4])
	raw := make([]byte, head+binary.BigEndian.Uint32(lengths[4:]))
	_, err := io.ReadFull(c.conn, raw)
	c.must(err)
	c.must(json.Unmarshal(raw[:head], &header))
	if header["do"] == "event" {
		c.heard += string(raw[head:]) + "\n"
	}
	return header, string(raw[head:])
}

// ask sends a request and returns its end.
func (c *rawClient) ask(header m, body any) (m, string) {
	c.Helper()
	raw, err := json.Marshal(body)
	c.must(err)
	if s, is := body.(string); is {
		raw = []byte(s)
	}
	c.last++
	header["id"] = c.last
	c.send(header, string(raw))
	for {
		if head, body := c.next(); head["id"] == float64(c.last) && (head["do"] == "answer" || head["do"] == "failed") {
			return head, body
		}
	}
}

// call calls a tool under roots, which are paths, or nil.
func (c *rawClient) call(tool string, arguments m, roots ...string) (head m, body string) {
	c.Helper()
	var folders []m
	for _, r := range roots {
		folders = append(folders, m{"name": filepath.Base(r), "path": r})
	}
	return c.ask(m{"do": "call", "tool": tool, "form": "json", "ask": true, "roots": folders}, arguments)
}

// TestCallersRootsOnlyNarrow: a session serves its own folders and what is open
// in it, whichever folders its caller names.
func TestCallersRootsOnlyNarrow(t *testing.T) {
	w := newWorld(t, map[string]string{
		"home/.bashrc": "secret-bashrc\n", "home/note.txt": "secret-note\n", "home/other/x.go": "package secret\n\nfunc secretX() {}\n",
		"home/proj/a.go": "package a\n\nfunc inside() {}\n", "home/proj/sub/b.go": "package b\n\nfunc inside2() {}\n",
		"home/proj/key.pem": "secret-key\n", "home/proj/.github/workflows/ci.yml": "on: push\n",
	})
	home, proj, other := w.path("home"), w.path("home/proj"), w.path("home/other")
	w.must(os.Symlink(other, filepath.Join(proj, "out")))
	w.must(os.Symlink(proj, filepath.Join(other, "in")))
	options := fakeeditor.Neovim(fakeeditor.Root{Name: "proj", Dir: proj})
	options.NoQuestions, options.AgentLSP["confirmEdit"] = true, false
	e := w.openAs(options)
	c := w.dial(e)
	before := w.disk()

	many := make([]string, 1000)
	for i := range many {
		many[i] = fmt.Sprintf("%s/%d", home, i)
	}
	for _, roots := range [][]string{
		{"/"}, {home}, {other}, {proj, home}, {home, "/"}, {filepath.Join(proj, "out")}, {filepath.Join(other, "in")}, {other, filepath.Join(other, "in")},
		{filepath.Join(proj, "..")}, {"//" + home + "/./"}, {filepath.Join(proj, ".github")}, {proj}, nil,
	} {
		for _, path := range []string{
			"note.txt", ".bashrc", "home/note.txt", "etc/passwd", "/etc/passwd", "file:///etc/passwd", w.path("home/note.txt"), "file://" + w.path("home/note.txt"),
			"other/x.go", "x.go", "out/x.go", "proj/out/x.go", "in/../note.txt", "../note.txt", "in/key.pem", "proj/key.pem", "key.pem", strings.TrimPrefix(w.path("home/note.txt"), "/"), ".", "..", "", "a\x00b",
		} {
			for tool, arguments := range map[string]m{
				"read_file":      {"path": path},
				"outline":        {"path": path},
				"list_directory": {"path": path, "depth": 5, "include_ignored": true},
				"grep_files":     {"path": path, "pattern": "secret", "include_ignored": true},
				"find_files":     {"path": path, "pattern": "note.txt", "include_ignored": true},
				"diagnostics":    {"path": path},
				"edit_file":      {"path": path, "expected_hash": "sha256:" + strings.Repeat("0", 64), "old_text": "secret", "new_text": "x"},
				"write_file":     {"path": beside(path) + "made", "content": "x"},
				"apply_patch":    {"patch": "*** Begin Patch\n*** Add File: " + beside(path) + "patched\n+x\n*** End Patch\n"},
			} {
				writes := tool == "write_file" || tool == "apply_patch"
				if writes && !slices.Contains([]string{"note.txt", ".bashrc", "etc/passwd", "/etc/passwd", w.path("home/note.txt"), "out/x.go", "../note.txt"}, path) {
					continue
				}
				_, answer := c.call(tool, arguments, roots...)
				if strings.Contains(answer, "secretX") || strings.Contains(answer, "secret-") || strings.Contains(answer, "root:x:0") || strings.Contains(answer, `"note.txt"`) && !strings.Contains(answer, `"error"`) && !writes {
					t.Errorf("%v %s %q: %s", roots, tool, path, answer)
				}
			}
		}
		for _, tool := range []string{"open_files", "edit_history", "diagnostics", "list_directory", "outline", "run_command"} {
			if _, answer := c.call(tool, m{}, roots...); strings.Contains(answer, "secret") || strings.Contains(answer, "note.txt") && !strings.Contains(answer, `"error"`) {
				t.Errorf("%v %s: %s", roots, tool, answer)
			}
		}
		for tool, arguments := range map[string]m{"grep_files": {"pattern": "secret|root:x"}, "find_files": {"pattern": "*note*"}, "outline": {"query": "secretX"}} {
			if _, answer := c.call(tool, arguments, roots...); strings.Contains(answer, "x.go") || strings.Contains(answer, "note.txt") || strings.Contains(answer, "passwd") {
				t.Errorf("%v %s: %s", roots, tool, answer)
			}
		}
	}
	for name, text := range w.disk() {
		if before[name] != text && !strings.HasPrefix(name, "home/proj/") {
			t.Errorf("%s was written: %q", name, text)
		}
	}

	// What is in the folders is served, by the caller's names.
	for _, at := range []struct{ root, path string }{{"/", strings.TrimPrefix(proj, "/") + "/a.go"}, {home, "proj/a.go"}, {proj, "a.go"}, {filepath.Join(other, "in"), "a.go"}, {other, "in/a.go"}, {other, filepath.Join(proj, "a.go")}} {
		head, answer := c.call("read_file", m{"path": at.path}, at.root)
		if inside := at.root != other; inside != (head["kind"] == nil) || inside && !strings.Contains(answer, "func inside") {
			t.Errorf("%+v: %v %s", at, head, answer)
		}
	}
	if _, answer := c.call("grep_files", m{"pattern": "func inside", "include": []string{"proj/sub/**"}}, home); !strings.Contains(answer, `"proj/sub/b.go"`) || strings.Contains(answer, "a.go") {
		t.Errorf("%s", answer)
	}
	if _, answer := c.call("find_files", m{"pattern": "proj/sub/*.go"}, home); !strings.Contains(answer, `"proj/sub/b.go"`) {
		t.Errorf("%s", answer)
	}
	if _, answer := c.call("find_files", m{"pattern": "proj sub b"}, home); !strings.Contains(answer, `"proj/sub/b.go"`) {
		t.Errorf("%s", answer)
	}
	// Rules are the session's, whatever part of its folders is named.
	for _, root := range []string{filepath.Join(proj, ".github"), filepath.Join(proj, ".github/workflows"), home, "/"} {
		for _, path := range []string{"ci.yml", "workflows/ci.yml", "proj/.github/workflows/new.yml", filepath.Join(proj, ".github/workflows/new.yml")} {
			head, answer := c.call("write_file", m{"path": path, "content": "on: x\n"}, root)
			if kind := head["kind"]; kind == nil && !(root == filepath.Join(proj, ".github") && path == "ci.yml") {
				t.Errorf("%s in %s: %s", path, root, answer)
			}
		}
	}
	for _, bad := range [][]string{many, {"rel"}, {""}, {"/a\x00b"}, {proj, "."}, {"/" + strings.Repeat("x", 5000)}} {
		if head, answer := c.call("read_file", m{"path": "a.go"}, bad...); head["kind"] != "invalid_params" {
			t.Errorf("%.40q: %v %s", bad, head, answer)
		}
	}
}

// beside is the folder that a path is in, with its slash.
func beside(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// TestWhatIsOpenOutside: a document outside of a session's folders is read as
// it is open, and changed with the person's consent; what policy hides is told
// of to nobody.
func TestWhatIsOpenOutside(t *testing.T) {
	w := newWorld(t, map[string]string{"open.txt": "one\n", "closed.txt": "closed\n", "id.pem": "key\n", "proj/.agentignore": "hidden.txt\n", "proj/hidden.txt": "hidden\n", "proj/.env": "TOKEN\n"})
	e := w.open(w.path("proj"))
	e.show("proj/hidden.txt")
	c := w.dial(e)
	c.send(m{"do": "watch", "id": 100}, "")
	for _, name := range []string{"open.txt", "id.pem", "proj/.env", "proj/.agentignore"} {
		e.show(name)
	}
	e.typeInto("open.txt", "typed ")
	e.typeInto("proj/.env", "typed ")
	for _, query := range []m{{}, {"below": []string{"/"}, "untitled": true}, {"below": []string{"/"}, "texts": true}, {"texts": true}} {
		head, answer := c.ask(m{"do": "documents"}, query)
		if head["do"] != "answer" || !strings.Contains(answer, "open.txt") {
			t.Errorf("%v: %v %s", query, head, answer)
		}
		for _, secret := range []string{"hidden", ".env", ".pem", "key", "TOKEN", "closed"} {
			if strings.Contains(answer, secret) {
				t.Errorf("%v tells of %s: %s", query, secret, answer)
			}
		}
	}
	if _, answer := c.ask(m{"do": "documents"}, m{"of": []m{{"path": w.path("proj/.env")}}}); !strings.Contains(answer, ".env") || strings.Contains(answer, "sha256") {
		t.Errorf("one that is named: %s", answer)
	}
	e.typeInto("open.txt", "again ")
	for !strings.Contains(c.heard, `"version":5`) { // of open.txt, the last to change
		c.next()
	}
	if strings.Contains(c.heard, ".env") || strings.Contains(c.heard, ".pem") || strings.Contains(c.heard, "hidden") {
		t.Errorf("the watch tells of %s", c.heard)
	}
	c = w.dial(e)
	for _, root := range []string{"/", w.root, w.path("proj"), w.path("none")} {
		if _, answer := c.call("read_file", m{"path": w.path("open.txt")}, root); !strings.Contains(answer, "again typed one") {
			t.Errorf("%s: %s", root, answer)
		}
		for _, path := range []string{w.path("id.pem"), w.path("proj/hidden.txt"), w.path("proj/.env")} {
			if head, answer := c.call("read_file", m{"path": path}, root); head["kind"] != "permission_denied" && head["kind"] != "outside_workspace" {
				t.Errorf("%s: %s: %s", root, path, answer)
			}
		}
		// Texts that a caller makes up do not lift what the editor's own say.
		e.typeInto("proj/.agentignore", "late.txt\n")
		w.write("proj/late.txt", "late\n")
		made := m{"do": "call", "tool": "read_file", "form": "json", "roots": []m{{"name": "r", "path": root}}, "extra": []m{{
			"uri": fakeeditor.FileURI(w.path("proj/.agentignore")), "path": w.path("proj/.agentignore"), "hash": "sha256:" + strings.Repeat("0", 64), "dirty": true, "carried": 0,
		}}}
		if head, answer := c.ask(made, m{"path": w.path("proj/late.txt")}); head["kind"] != "permission_denied" && head["kind"] != "outside_workspace" {
			t.Errorf("%s: %v %s", root, head, answer)
		}
	}
	edit := m{"path": "open.txt", "expected_hash": w.assistant("").hash("open.txt"), "old_text": "one", "new_text": "1"}
	e.Behave(fakeeditor.Behaviour{Consent: "reject"})
	if head, answer := c.call("edit_file", edit, w.root); head["kind"] != "rejected_by_user" {
		t.Errorf("%v %s", head, answer)
	}
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	if head, answer := c.call("edit_file", edit, w.root); head["kind"] != nil || e.text(w.path("open.txt")) != "again typed 1\n" {
		t.Errorf("%v %s", head, answer)
	}
}

// disk is what the workspace's files hold.
func (w *world) disk() map[string]string {
	files := make(map[string]string)
	w.must(filepath.WalkDir(w.root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(w.root, path)
		files[name] = string(raw)
		return err
	}))
	return files
}

// TestBothSides: an assistant that was started in the folder around an editor's
// sees all of it: what is in the editor as it is there, the rest as it is on
// disk, in one order; what it changes is on one side or the other.
func TestBothSides(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a/1.go": "package a\n\nfunc Needle1() {}\n", "child/2.go": "package c\n\nfunc Needle2() {}\n", "child/3.go": "package c\n\nfunc Needle3() {}\n", "z/5.go": "package z\n\nfunc Needle5() {}\n",
	})
	w.must(os.Symlink("child", w.path("lnk")))
	w.must(os.Symlink(w.path("z"), w.path("child/out")))
	e, h := w.open(w.path("child")), w.host()
	open := e.show("child/2.go")
	e.typeInto("child/2.go", "// typed Needle\n")
	e.openText("child/4.go", "package c\n\nfunc Needle4() {}\n")
	inOrder := func(text string, words ...string) {
		t.Helper()
		for _, word := range words {
			_, after, found := strings.Cut(text, word)
			if !found {
				t.Errorf("%q is missing, or not in order, in\n%s", word, text)
			}
			text = after
		}
	}
	all := []string{"a/1.go", "Needle1", "child/2.go", "typed Needle", "Needle2", "child/3.go", "Needle3", "child/4.go", "Needle4", "z/5.go", "Needle5"}
	inOrder(h.want("grep_files", m{"pattern": "Needle", "context": 0}), all...)
	pages, cursor := "", ""
	for assistant := w.assistant(""); ; {
		raw, err := json.Marshal(m{"pattern": "Needle", "max_results": 1, "cursor": cursor, "symbols": false})
		w.must(err)
		answer, err := assistant.Call(t.Context(), session.Call{Tool: "grep_files", Arguments: raw, Form: form.JSON})
		w.must(err)
		var page struct {
			Cursor string `json:"cursor"`
			More   bool   `json:"more"`
		}
		w.must(json.Unmarshal(answer.Raw, &page))
		pages += string(answer.Raw)
		if cursor = page.Cursor; !page.More || cursor == "" {
			break
		}
	}
	inOrder(pages, all...)
	if n := strings.Count(pages, "func Needle"); n != 5 {
		t.Errorf("the pages have %d functions:\n%s", n, pages)
	}
	h.want("outline", m{"query": "Needle"}, "Needle1", "Needle2", "Needle4", "Needle5")
	for _, word := range []string{"a/1.go", "child/2.go", "child/4.go", "z/5.go"} {
		h.want("outline", m{"path": "."}, word)
		h.want("find_files", m{"pattern": "*.go"}, word)
		h.want("grep_files", m{"pattern": "Needle", "output": "files"}, word)
	}
	h.want("list_directory", m{"depth": 2}, "2.go", "4.go", "5.go", "unsaved")
	h.want("list_directory", m{"path": "child"}, "2.go", "4.go", "unsaved")
	h.want("grep_files", m{"pattern": "Needle", "path": "child", "include": []string{"child/*.go"}}, "child/2.go", "child/3.go", "child/4.go")
	for path, want := range map[string]string{"a/1.go": "Needle1", "child/2.go": "typed Needle", "lnk/2.go": "typed Needle", "child/out/5.go": "Needle5", w.path("child/4.go"): "Needle4"} {
		h.want("read_file", m{"path": path}, want)
	}
	inOrder(h.want("read_file", m{"reads": []m{{"path": "a/1.go"}, {"path": "child/2.go"}, {"path": "no.go"}, {"path": "lnk/2.go", "symbol": "Needle2"}, {"path": "child/4.go"}, {"path": "z/5.go"}}}),
		"a/1.go", "Needle1", "child/2.go", "typed Needle", "not_found", "child/2.go", "Needle2", "child/4.go", "Needle4", "z/5.go", "Needle5")
	inOrder(h.want("read_file", m{"reads": []m{{"path": "child/2.go"}, {"path": "child/4.go"}}}), "typed Needle", "Needle4")
	for symbol, want := range map[string]string{"Needle1": "a/1.go", "Needle2": "child/2.go", "Needle4": "child/4.go", "Needle5": "z/5.go"} {
		h.want("read_file", m{"symbol": symbol}, want, "func "+symbol)
	}

	before := w.disk()
	spans := "*** Begin Patch\n*** Update File: a/1.go\n-func Needle1() {}\n+func Changed1() {}\n*** Update File: child/3.go\n-func Needle3() {}\n+func Changed3() {}\n*** End Patch\n"
	for _, path := range []string{"a/1.go", "child/3.go"} {
		h.want("read_file", m{"path": path})
	}
	h.want("apply_patch", m{"patch": spans}, "not_applied", "a/1.go outside of its folders", "child/3.go in the folders of fakeeditor")
	w.write("patch.diff", spans)
	if out, code := w.runProgram("apply-patch", "--root", w.root, w.path("patch.diff")); code != 1 {
		t.Errorf("exit %d: %s", code, out)
	}
	moves := "*** Begin Patch\n*** Update File: child/3.go\n*** Move to: a/3.go\n*** End Patch\n"
	h.want("apply_patch", m{"patch": moves}, "not_applied", "nothing was changed")
	w.must(os.Remove(w.path("patch.diff")))
	for name, text := range w.disk() {
		if before[name] != text {
			t.Errorf("%s is %q", name, text)
		}
	}
	one := func(path, from, to string) string {
		return "*** Begin Patch\n*** Update File: " + path + "\n-" + from + "\n+" + to + "\n*** End Patch\n"
	}
	h.want("apply_patch", m{"patch": one("a/1.go", "func Needle1() {}", "func Changed1() {}")}, "modified ")
	h.want("apply_patch", m{"patch": one("child/3.go", "func Needle3() {}", "func Changed3() {}")}, "modified ")
	h.want("apply_patch", m{"patch": one("child/2.go", "func Needle2() {}", "func Changed2() {}")}, "modified ")
	if text := e.text(open); !strings.Contains(text, "Changed2") || !strings.Contains(text, "typed") {
		t.Errorf("the editor has %q", text)
	}
	h.want("write_file", m{"path": "child/6.go", "content": "package c\n"}, "created on disk")
	h.want("write_file", m{"path": "top.go", "content": "package top\n"}, "created on disk", "no editor")
	on := w.disk()
	if !strings.Contains(on["a/1.go"], "Changed1") || !strings.Contains(on["child/3.go"], "Changed3") || strings.Contains(on["child/2.go"], "Changed2") || on["child/6.go"] == "" || on["top.go"] == "" {
		t.Errorf("the disk has %q", on)
	}
	if out, code := w.runProgram("grep-files", "--root", w.root, "Needle|Changed"); code != 0 || !strings.Contains(out, "typed Needle") || !strings.Contains(out, "Changed1") || !strings.Contains(out, "Needle5") {
		t.Errorf("exit %d: %s", code, out)
	}
}
