package rpc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// TestSessionFollowsTheFolders: others find the session under the folders that
// the editor has at present, and no longer when it has ended.
func TestSessionFollowsTheFolders(t *testing.T) {
	dir, sessions := t.TempDir(), filepath.Join(shortDir(t), "s")
	log := new(lockedBuffer)
	writeAll(t, dir, map[string]string{"one/a.txt": "1", "two/b.txt": "2"})
	s := startSession(t, initializeOf(dir, map[string]any{"rootUri": "file://" + dir + "/one", "clientInfo": map[string]any{"name": "ed"}}), logged(log),
		func(c *Config) { c.SessionFolders = []string{sessions} })
	roots := func() string {
		found := session.Find(t.Context(), []string{sessions})
		if len(found.Live) != 1 || found.Live[0].Editor != "ed" {
			t.Fatalf("found %+v", found)
		}
		return strings.ReplaceAll(strings.Join(found.Live[0].Roots, " "), dir+"/", "")
	}
	if got := roots(); got != "one" {
		t.Errorf("at first its folders are %s", got)
	}
	s.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": "file://" + dir + "/two", "name": "two"}}, "removed": []any{}}})
	s.call("agent/stats", nil)
	if got := roots(); got != "one two" {
		t.Errorf("after a change its folders are %s", got)
	}
	s.leave()
	if found := session.Find(t.Context(), []string{sessions}); len(found.Live)+len(found.Stale) != 0 {
		t.Errorf("at the end there is %+v", found)
	}
	if strings.Contains(log.String(), "level=WARN") {
		t.Errorf("logged: %s", log.String())
	}
}

// shortDir returns a new folder with a short name: those of sockets are short.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") //nolint:usetesting // the name of t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// TestNoSession: an editor is served though nobody else can be.
func TestNoSession(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"file": ""})
	for name, folders := range map[string][]string{"wanted": {filepath.Join(dir, "file", "s")}, "none": nil} {
		log := new(lockedBuffer)
		s := startSession(t, initializeOf(dir, nil), logged(log), func(c *Config) { c.SessionFolders = folders })
		s.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{}, "removed": []any{}}})
		s.tool("list_directory", map[string]any{})
		s.leave()
		if got := strings.Contains(log.String(), "cannot attach"); got != (folders != nil) {
			t.Errorf("%s: logged %s", name, log.String())
		}
	}
}

// TestClientsNews: one at a time tells the news, and the last of them is told.
func TestClientsNews(t *testing.T) {
	var n pendingClients
	one, two := []session.Attached{{}}, []session.Attached{{}, {}}
	if !n.put(one) || n.put(two) {
		t.Error("not one tells it")
	}
	if got := n.take(); len(got) != 2 {
		t.Errorf("told %v", got)
	}
	if n.put(one) {
		t.Error("two tell it")
	}
	if got := n.take(); len(got) != 1 {
		t.Errorf("told %v", got)
	}
	if n.take() != nil || !n.put(one) {
		t.Error("nobody tells it any more")
	}
}

// TestClientsAreTold: who is attached is told to a client that wants to know.
func TestClientsAreTold(t *testing.T) {
	log := new(lockedBuffer)
	e, _ := editorWith(t, filepath.Join(t.TempDir(), "a.txt"), "text", logged(log))
	e.tellClients([]session.Attached{{}})
	if e.clients.called {
		t.Error("it is told who does not want to hear")
	}
	e.client.abilities.Activity = true
	e.tellClients([]session.Attached{{}, {}})
	for e.clients.isCalled() {
		time.Sleep(time.Millisecond)
	}
	if !strings.Contains(log.String(), "method=agent/clients") { // nobody is connected here
		t.Errorf("logged: %s", log)
	}
}

func (n *pendingClients) isCalled() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.called
}
