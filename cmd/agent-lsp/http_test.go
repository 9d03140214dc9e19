//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// webHost is an assistant's host that talks to `agent-lsp mcp --http`, a process
// of its own.
type webHost struct {
	*world
	url, session string
	client       *http.Client
	last         int
}

const webToken = "the token of these tests"

// served takes what a process says, and gives the address at which it serves.
type served struct {
	said string
	at   chan string // takes one
}

func (s *served) Write(b []byte) (int, error) {
	s.said += string(b)
	if found := regexp.MustCompile(`http://\S+/`).FindString(s.said); found != "" && s.at != nil {
		s.at <- found
		s.at = nil
	}
	return len(b), nil
}

// web starts the program in a folder and greets it.
func (w *world) web(root string) *webHost {
	w.Helper()
	token := filepath.Join(w.TempDir(), "token")
	w.must(os.WriteFile(token, []byte(webToken+"\n"), 0o600))
	at := make(chan string, 1)
	cmd := w.prepared("", "mcp", "--root", root, "--http", "127.0.0.1:0", "--token-file", token)
	cmd.Stderr = &served{at: at}
	w.must(cmd.Start())
	h := &webHost{world: w, client: &http.Client{Transport: &http.Transport{}}}
	w.Cleanup(func() {
		h.client.CloseIdleConnections()
		w.must(cmd.Process.Signal(os.Interrupt))
		if err := cmd.Wait(); err != nil {
			w.Error("agent-lsp mcp --http:", err)
		}
	})
	h.url = <-at
	h.post("initialize", m{"protocolVersion": "2025-11-25", "capabilities": m{}, "clientInfo": m{"name": "host", "version": "1"}})
	h.post("notifications/initialized", nil)
	return h
}

// post sends a message and returns the answer, an event or a body.
func (h *webHost) post(method string, params any) string {
	h.Helper()
	message := m{"jsonrpc": "2.0", "method": method, "params": params}
	if !strings.HasPrefix(method, "notifications/") {
		h.last++
		message["id"] = h.last
	}
	body, err := json.Marshal(message)
	h.must(err)
	r, err := http.NewRequestWithContext(h.Context(), http.MethodPost, h.url, strings.NewReader(string(body)))
	h.must(err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + webToken, "Mcp-Session-Id": h.session,
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	answer, err := h.client.Do(r)
	h.must(err)
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	h.must(err)
	if answer.StatusCode >= 300 {
		h.Fatalf("%s: %s %s", method, answer.Status, raw)
	}
	if h.session == "" {
		h.session = answer.Header.Get("Mcp-Session-Id")
	}
	return string(raw)
}

// call calls a tool and returns its text.
func (h *webHost) call(tool string, args any) string {
	h.Helper()
	raw := h.post("tools/call", m{"name": tool, "arguments": args})
	for line := range strings.Lines(raw) {
		var a hostAnswer
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &a) == nil && a.ID == h.last && len(a.Result.Content) > 0 {
			return a.Result.Content[0].Text
		}
	}
	h.Fatalf("%s: %s", tool, raw)
	return ""
}

// want calls a tool and wants its text to hold all of words.
func (h *webHost) want(tool string, args any, words ...string) {
	h.Helper()
	text := h.call(tool, args)
	for _, word := range words {
		if !strings.Contains(text, word) {
			h.Errorf("%s %v: %q is missing in %s", tool, args, word, text)
		}
	}
}

// TestBothSidesOverHTTP: what is in the editor's folders is the editor's, the
// rest the disk's, nothing is beyond the folders that the program was started
// with, and a change of both sides is refused.
func TestBothSidesOverHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"out/secret.txt": "secret\n", "top/a.txt": "one\n", "top/proj/b.txt": "two\n"})
	e := w.open(w.path("top/proj"))
	e.show("top/proj/b.txt")
	e.typeInto("top/proj/b.txt", "typed ")
	h := w.web(w.path("top"))
	h.want("read_file", m{"path": "proj/b.txt"}, "typed two")
	h.want("grep_files", m{"pattern": "one|two"}, "a.txt", "proj/b.txt", "typed two")
	before := w.disk()
	for _, path := range []string{"../out/secret.txt", w.path("out/secret.txt"), "/etc/passwd", "file:///etc/passwd", "proj/../../out/secret.txt"} {
		h.want("read_file", m{"path": path}, "outside_workspace")
		h.want("write_file", m{"path": path, "content": "x"}, "outside_workspace")
	}
	h.want("apply_patch", m{"patch": "*** Begin Patch\n*** Update File: a.txt\n-one\n+1\n*** Update File: proj/b.txt\n-typed two\n+2\n*** End Patch\n"}, "not_applied", "a.txt", "proj/b.txt")
	if after := w.disk(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the disk has %q, had %q", after, before)
	}
	if text := e.text(w.path("top/proj/b.txt")); text != "typed two\n" {
		t.Errorf("the editor has %q", text)
	}
}

// TestPolicyOverHTTP: what is the program's own is written by no tool, what is
// protected by none that nobody agreed to, what is private is not read; that the
// workspace is the home folder is told.
func TestPolicyOverHTTP(t *testing.T) {
	t.Parallel()
	w := homeWorld(t)
	w.write("a.txt", "a\n")
	w.write(".netrc", "machine secret\n")
	own := w.ownOf()
	h := w.web(w.root)
	h.want("read_file", m{"path": "a.txt"}, "the workspace holds the person's home folder")
	before := w.disk()
	for _, file := range own {
		for tool, arguments := range changes(file) {
			switch kind, _, _ := strings.Cut(h.call(tool, arguments), ":"); kind {
			case "permission_denied", "not_found", "already_exists":
			default:
				t.Errorf("%s of %s: %s", tool, file, kind)
			}
		}
	}
	for _, file := range []string{".bashrc", ".gitconfig", ".husky/pre-commit", ".config/autostart/x.desktop", ".config/nvim/init.lua", ".mcp.json"} {
		h.want("write_file", m{"path": file, "content": "x"}, "permission_denied", "consent")
	}
	h.want("read_file", m{"path": ".netrc"}, "permission_denied")
	h.want("write_file", m{"path": ".ssh/authorized_keys", "content": "x"}, "permission_denied")
	for name, text := range w.disk() {
		if was, known := before[name]; (!known || was != text) && !strings.HasPrefix(name, "cache/") && !strings.HasPrefix(name, "state/") {
			t.Errorf("%s was written: %q", name, text)
		}
	}
}

// TestForgedJournalOverHTTP: a journal that was written by something else puts
// nothing in place, whichever way the program is started.
func TestForgedJournalOverHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.forgeJournal()
	w.web(w.root).want("find_files", m{"pattern": "*"})
	if _, err := os.Stat(w.path(".mcp.json")); err == nil {
		t.Error(".mcp.json was made")
	}
}
