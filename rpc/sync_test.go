package rpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// abilitiesOf are the capabilities of a client of agent-lsp's own that has
// these abilities.
func abilitiesOf(names ...string) map[string]any {
	offered := map[string]any{}
	for _, name := range names {
		offered[name] = true
	}
	return map[string]any{"experimental": map[string]any{"agentLsp": offered}}
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// logged has a session log everything into a buffer.
func logged(log *lockedBuffer) func(*Config) {
	return func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
}

func hashOf(t *testing.T, content string) string {
	t.Helper()
	hash, err := text.Format{Encoding: text.EncodingUTF8}.Hash(text.New(content))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(hash)
}

// TestTextHash: a client's hash of its text is held against the mirrored text
// of the same version, and a difference makes the server ask.
func TestTextHash(t *testing.T) {
	dir := t.TempDir()
	uri := "file://" + dir + "/a.txt"
	s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("resync")}))
	defer s.leave()
	asked := map[string]int{}
	s.answer = func(_ string, params any) any {
		asked[asJSON(params)]++
		return map[string]any{"version": 5, "text": "anew\n"}
	}
	other := "file://" + dir + "/other.txt"
	s.open(uri, 3, "text\n")
	s.open(other, 3, "text\n")
	for _, state := range []map[string]any{
		{"uri": uri, "version": 3, "text_hash": hashOf(t, "text\n")},
		{"uri": uri, "version": 3, "text_hash": ""},
		{"uri": uri, "version": 3},
		{"uri": uri, "version": 3, "text_hash": "sha256:zz"},
		{"uri": uri, "version": 2, "text_hash": hashOf(t, "other\n")},
		{"uri": uri, "version": 4, "text_hash": hashOf(t, "other\n")},
		{"uri": uri + "x", "version": 3, "text_hash": hashOf(t, "other\n")},
		{"uri": other, "version": 3, "text_hash": hashOf(t, "other\n")}, // the one that differs
	} {
		s.notify("agent/documentState", state)
	}
	read := func(uri string) any {
		return s.tool("read_file", map[string]any{"path": uri, "format": "plain"})["content"]
	}
	for deadline := time.Now().Add(time.Minute); read(other) != "anew\n"; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the text that differs is not asked for")
		}
	}
	if got := read(uri); got != "text\n" || len(asked) != 1 || asked[`{"uri":"`+other+`"}`] != 1 {
		t.Errorf("asked for %v; the text is %q", asked, got)
	}
}

// secondLine is a change of what stands on the second line, whichever that is.
func secondLine(uri string, version int, to string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []any{
		map[string]any{"text": to, "range": map[string]any{"start": map[string]any{"line": 1, "character": 0}, "end": map[string]any{"line": 1, "character": 1}}}}}
}

// TestDocumentState: what a client says of a document is believed when all of
// it is understood.
func TestDocumentState(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.txt": "saved\n"})
	uri := "file://" + dir + "/a.txt"
	for name, tt := range map[string]struct {
		state map[string]any
		want  string // encoding, whether it is dirty, and the text with its second line changed
	}{
		"nothing":           {map[string]any{}, `unknown true "a\rX\nc\n"`},
		"encoding":          {map[string]any{"encoding": "utf-16le", "bom": true}, `utf-16le true "a\rX\nc\n"`},
		"dirty":             {map[string]any{"dirty": true}, `unknown true "a\rX\nc\n"`},
		"clean":             {map[string]any{"dirty": false}, `unknown false "a\rX\nc\n"`},
		"line rule":         {map[string]any{"line_rule": "lf"}, `unknown true "a\rb\nX\n"`},
		"unknown encoding":  {map[string]any{"encoding": "utf-7", "dirty": false, "line_rule": "lf"}, `unknown true "a\rX\nc\n"`},
		"unknown line rule": {map[string]any{"line_rule": "cr", "dirty": false, "encoding": "utf-16le"}, `unknown true "a\rX\nc\n"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("resync")}))
			defer s.leave()
			s.open(uri, 1, "a\rb\nc\n")
			tt.state["uri"], tt.state["version"] = uri, 1
			s.notify("agent/documentState", tt.state)
			before := s.tool("read_file", map[string]any{"path": uri})
			s.notify("textDocument/didChange", secondLine(uri, 2, "X"))
			got := fmt.Sprintf("%v %v %q", before["encoding"], before["dirty"], s.tool("read_file", map[string]any{"path": uri, "format": "plain"})["content"])
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestNotificationsThatTellNothing: what is told of documents that are not
// there, or in a way that is none, is logged and changes nothing.
func TestNotificationsThatTellNothing(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.txt": "text\n"})
	uri := "file://" + dir + "/a.txt"
	log := new(lockedBuffer)
	s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("resync")}), logged(log))
	defer s.leave()
	document := func(uri string, more map[string]any) map[string]any {
		params := map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}}
		maps.Copy(params, more)
		return params
	}
	whole := map[string]any{"contentChanges": []any{map[string]any{"text": "changed\n"}}}
	for _, tt := range []struct {
		method string
		params any
		want   string // what is logged as a failure; "" is nothing
	}{
		{"textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "plaintext", "version": 1, "text": "text\n"}}, ""},
		{"textDocument/didSave", document(uri, nil), ""},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1, "dirty": false}, ""},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1, "text_hash": "sha256:zz"}, "is not a content hash"},
		{"agent/tabs", nil, ""},
		{"agent/tabs", map[string]any{"unsynced": []any{map[string]any{"uri": "file:%zz"}}}, ""},
		{"textDocument/didChange", document(uri, whole), ""},
		{"textDocument/didClose", document(uri, nil), ""},

		{"textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "file:%zz", "languageId": "", "version": 1, "text": ""}}, "invalid_params"},
		{"textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri}}, "has no languageId"},
		{"textDocument/didChange", document("file:%zz", whole), "invalid_params"},
		{"textDocument/didChange", document("file:%zz", map[string]any{}), "has no contentChanges"},
		{"textDocument/didChange", document(uri, whole), "not_found"},
		{"textDocument/didSave", document("file:%zz", nil), "invalid_params"},
		{"textDocument/didSave", document(uri, nil), "not_found"},
		{"textDocument/didSave", []any{}, "invalid_params"},
		{"textDocument/didClose", document("file:%zz", nil), "invalid_params"},
		{"textDocument/didClose", document(uri, nil), "didClose of a document that is not open"},
		{"agent/documentState", map[string]any{"uri": "file:%zz", "version": 1}, "invalid_params"},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1}, "not_found"},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1, "text_hash": hashOf(t, "")}, "not_found"},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1, "encoding": "utf-7"}, "unknown encoding"},
		{"agent/documentState", map[string]any{"uri": uri, "version": 1, "line_rule": "cr"}, "unknown line rule"},
	} {
		before := len(log.String())
		s.notify(tt.method, tt.params)
		s.call("agent/stats", nil) // after it
		var failures []string
		for line := range strings.Lines(log.String()[before:]) {
			if strings.Contains(line, "notification failed") {
				failures = append(failures, line)
			}
		}
		if all := strings.Join(failures, ""); (tt.want == "") != (all == "") || !strings.Contains(all, tt.want) {
			t.Errorf("%s %v: logged %q, want %q", tt.method, tt.params, all, tt.want)
		}
	}
}

// TestCellsOfNotebooks: cells come, change and go as documents of their own,
// and only that the notebook is open counts.
func TestCellsOfNotebooks(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"n.ipynb": `{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}`})
	log := new(lockedBuffer)
	s := startSession(t, initializeOf(dir, nil), logged(log))
	defer s.leave()
	cell := "vscode-notebook-cell:" + dir + "/n.ipynb#W0sZmlsZQ"
	document := map[string]any{"uri": cell, "version": 2}
	hash := s.tool("read_file", map[string]any{"path": "n.ipynb", "start_line": 1})["content_hash"]
	write := func() any {
		answer := s.tool("edit_file", map[string]any{"path": "n.ipynb", "expected_hash": hash, "old_text": "4", "new_text": "3", "dry_run": true})
		problem, _ := answer["error"].(map[string]any)
		return problem["kind"]
	}
	free := write()
	s.open(cell, 1, "x = 1")
	open := write()
	s.notify("textDocument/didChange", map[string]any{"textDocument": document, "contentChanges": []any{map[string]any{"text": "x = 2"}}})
	s.notify("textDocument/didSave", map[string]any{"textDocument": document})
	s.notify("agent/documentState", map[string]any{"uri": cell, "version": 2, "dirty": true})
	changed := write()
	s.notify("textDocument/didClose", map[string]any{"textDocument": document})
	closed := write()
	if free != nil || open != "notebook_open" || changed != "notebook_open" || closed != nil {
		t.Errorf("writing the notebook: %v, with an open cell %v, with a changed one %v, at the end %v", free, open, changed, closed)
	}
	if strings.Contains(log.String(), "notification failed") {
		t.Errorf("logged: %s", log.String())
	}
}

// TestResync: what an editor answers that is asked for its text.
func TestResync(t *testing.T) {
	for name, tt := range map[string]struct {
		answer any
		want   string // the text with its second line changed, "?" before one that is out of sync
	}{
		"text":                {map[string]any{"version": 4, "text": "a\rb\nc\n"}, "a\rX\nc\n"},
		"with a line rule":    {map[string]any{"version": 4, "text": "a\rb\nc\n", "line_rule": "lf"}, "a\rb\nX\n"},
		"with an unknown one": {map[string]any{"version": 4, "text": "a\rb\nc\n", "line_rule": "cr"}, "a\rX\nc\n"},
		"an empty text":       {map[string]any{"version": 4, "text": ""}, "X"},
		"no text":             {map[string]any{"version": 4}, "?old\n"},
		"an error":            {errors.New("busy"), "?old\n"},
		"no answer":           {map[string]any{"version": "x", "text": "new\n"}, "?old\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			uri := "file://" + dir + "/a.txt"
			s := startSession(t, initializeOf(dir, map[string]any{"capabilities": abilitiesOf("resync")}))
			defer s.leave()
			asked := 0
			s.answer = func(string, any) any {
				asked++
				return tt.answer
			}
			s.open(uri, 2, "old\n")
			// A change that cannot be understood.
			s.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 3}, "contentChanges": []any{map[string]any{}}})
			s.tool("read_file", map[string]any{"path": uri}) // which waits for the answer
			s.notify("textDocument/didChange", secondLine(uri, 5, "X"))
			got := s.tool("read_file", map[string]any{"path": uri, "format": "plain"})
			content := fmt.Sprint(got["content"])
			if got["unsure"] != nil {
				content = "?" + content
			}
			if content != tt.want || asked == 0 {
				t.Errorf("asked %d times; %q, want %q", asked, content, tt.want)
			}
		})
	}
}

// TestNobodyToAskForTheText: a client that cannot give its text is not asked.
func TestNobodyToAskForTheText(t *testing.T) {
	dir := t.TempDir()
	uri := "file://" + dir + "/a.txt"
	s := startSession(t, initializeOf(dir, nil))
	defer s.leave()
	s.answer = func(method string, _ any) any {
		t.Errorf("asked %s", method)
		return nil
	}
	s.open(uri, 2, "old\n")
	s.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 3}, "contentChanges": 7})
	notWaiting(t, func() {
		if got := s.tool("read_file", map[string]any{"path": uri}); got["unsure"] == nil {
			t.Errorf("read %v", got)
		}
	})
}

// TestTellingNobody: what cannot be told is logged, and what is told is not.
func TestTellingNobody(t *testing.T) {
	log := new(lockedBuffer)
	config := Config{}
	logged(log)(&config)
	s := newServer(t.Context(), config)
	s.tell(t.Context(), "agent/activity", nil)
	if !strings.Contains(log.String(), "not told") {
		t.Errorf("logged: %s", log.String())
	}
	close(s.client.initialized)
	s.background.Wait()
	s.core.Close()
}

// TestActivity: a client that wants to hears of each call and who made it, as
// far as that is said; what fails in a usual way is no failure of the tool.
func TestActivity(t *testing.T) {
	log := new(lockedBuffer)
	s := startSession(t, initializeOf(t.TempDir(), map[string]any{"clientInfo": map[string]any{"name": "ed"}, "capabilities": abilitiesOf("activity")}), logged(log))
	var heard []string
	s.told = func(method string, params any) {
		told, _ := params.(map[string]any)
		by, _ := told["client"].(map[string]any)
		heard = append(heard, fmt.Sprint(method, " ", by["name"], " ", told["tool"]))
	}
	s.tool("list_directory", map[string]any{})
	s.tool("read_file", map[string]any{"path": "missing"})
	s.call("agent/tools/call", map[string]any{"name": "list_directory", "arguments": map[string]any{}, "client": map[string]any{"name": "bot"}})
	s.call("agent/stats", nil)
	s.leave()
	if got := strings.Join(heard, ", "); got != "agent/activity ed list_directory, agent/activity ed read_file, agent/activity bot list_directory" {
		t.Errorf("heard %s", got)
	}
	for _, line := range []string{"not told", "level=WARN", "level=ERROR"} {
		if strings.Contains(log.String(), line) {
			t.Errorf("logged: %s", log.String())
		}
	}
}

// TestCapabilitiesThatAreNone: what a client says of itself in a way that is
// none is logged, and it is served as one that says nothing.
func TestCapabilitiesThatAreNone(t *testing.T) {
	log := new(lockedBuffer)
	s := startSession(t, initializeOf(t.TempDir(), map[string]any{"capabilities": map[string]any{"experimental": 7}}), logged(log))
	s.tool("list_directory", map[string]any{})
	s.leave()
	if !strings.Contains(log.String(), "agentLsp is not understood") {
		t.Errorf("logged: %s", log.String())
	}
}

// TestResyncs: who waits for a text that is not being asked for waits not at
// all, and one asking is under way at a time.
func TestResyncs(t *testing.T) {
	r := resyncs{running: make(map[string]chan struct{})}
	isOver := func() bool {
		select {
		case <-r.over("a"):
			return true
		default:
			return false
		}
	}
	if !isOver() || !r.begin("a") || isOver() || r.begin("a") || !r.begin("b") {
		t.Error("it is not told who asks")
	}
	waits := r.over("a")
	r.end("a")
	<-waits
	if !isOver() || !r.begin("a") {
		t.Error("the end is not told")
	}
}

// TestAwaitResyncIsBounded: a call waits a moment for a text that does not come, and
// not at all when it was cancelled.
func TestAwaitResyncIsBounded(t *testing.T) {
	e, d := editorWith(t, filepath.Join(t.TempDir(), "a.txt"), "text")
	e.resyncs.begin(d.Key())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	notWaiting(t, func() {
		if e.AwaitResync(ctx, d) {
			t.Error("a text came that did not")
		}
	})
	e.resyncs.end(d.Key())
	if !e.AwaitResync(t.Context(), d) {
		t.Error("nothing is asked for, and that is not told")
	}
}

// notWaiting fails the test when f always takes as long as a text is waited for:
// once may be the machine's fault.
func notWaiting(t *testing.T, f func()) {
	t.Helper()
	for range 10 {
		start := time.Now()
		if f(); time.Since(start) < resyncWait {
			return
		}
	}
	t.Error("it waits for nothing")
}

// TestNothingToAskFor: of a document that is sure, or is not open any more, no
// text is asked for, and nothing is wrong with that.
func TestNothingToAskFor(t *testing.T) {
	log := new(lockedBuffer)
	e, d := editorWith(t, filepath.Join(t.TempDir(), "a.txt"), "text", logged(log))
	e.client.abilities.Resync = true
	e.resync(d.Key())
	e.resync("nowhere")
	<-e.resyncs.over(d.Key())
	<-e.resyncs.over("nowhere")
	if log.Len() > 0 {
		t.Errorf("logged: %s", log)
	}
	if now, open := e.textOf(d.Key()); !open || now.String() != "text" {
		t.Errorf("its text is %q, %v", now.String(), open)
	}
	if now, open := e.textOf("nowhere"); open || now.Len() > 0 {
		t.Errorf("the text of nothing is %q, %v", now.String(), open)
	}
}
