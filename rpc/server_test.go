package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// editorSession is a server and the plainest of clients.
type editorSession struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	id   int
	done chan error
	// told, when it is there, takes what the server says by itself.
	told func(method string, params any)
	// answer gives the results of what the server asks: silence is no answer,
	// an error is answered as one. Without it, nothing is answered.
	answer func(method string, params any) any
	// initialized is the answer to initialize.
	initialized map[string]any
}

// newEditorSession starts a server and initializes it as an editor with the process
// id pid. The test fails when the server does not end with it.
func newEditorSession(t *testing.T, dir string, pid int) *editorSession {
	t.Helper()
	return startSession(t, map[string]any{"processId": pid, "rootUri": "file://" + dir, "capabilities": map[string]any{
		"experimental": map[string]any{"agentLsp": map[string]any{"resync": true}}}})
}

// startSession starts a server and initializes it.
func startSession(t *testing.T, initialize map[string]any, change ...func(*Config)) *editorSession {
	t.Helper()
	config := Config{Version: "test", Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&config)
	}
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	s := &editorSession{t: t, in: in, out: bufio.NewReader(out), done: make(chan error, 1)}
	ctx, cancel := context.WithCancelCause(t.Context())
	server := newServer(ctx, config)
	go func() { s.done <- server.serve(ctx, cancel, serverIn, serverOut, time.Millisecond) }()
	s.initialized = s.call("initialize", initialize)
	return s
}

func (s *editorSession) send(message map[string]any) {
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		s.t.Fatal(err)
	}
	// The server may be gone already; what is read tells.
	_, _ = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// call returns the result of a call, skipping what the server says by itself.
func (s *editorSession) call(method string, params any) map[string]any {
	s.t.Helper()
	s.id++
	s.send(map[string]any{"id": s.id, "method": method, "params": params})
	for {
		n := 0
		for {
			line, err := s.out.ReadString('\n')
			if err != nil {
				s.t.Fatal(err)
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			_, _ = fmt.Sscanf(line, "Content-Length: %d", &n)
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(s.out, body); err != nil {
			s.t.Fatal(err)
		}
		var answer map[string]any
		if err := json.Unmarshal(body, &answer); err != nil {
			s.t.Fatal(err)
		}
		if method, asks := answer["method"].(string); asks {
			s.reply(method, answer["id"], answer["params"])
			if s.told != nil {
				s.told(method, answer["params"])
			}
			continue
		}
		if answer["id"] == float64(s.id) {
			return answer
		}
	}
}

// silence is what a client says that does not answer.
var silence = new(struct{ _ int })

// reply answers what the server asks, not what it only tells.
func (s *editorSession) reply(method string, id, params any) {
	if id == nil || s.answer == nil {
		return
	}
	switch result := s.answer(method, params).(type) {
	case *struct{ _ int }:
	case error:
		s.send(map[string]any{"id": id, "error": map[string]any{"code": -32000, "message": result.Error()}})
	default:
		s.send(map[string]any{"id": id, "result": result})
	}
}

// notify sends a notification.
func (s *editorSession) notify(method string, params any) {
	s.send(map[string]any{"method": method, "params": params})
}

// open opens a document of plain text.
func (s *editorSession) open(uri string, version int, text string) {
	s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "plaintext", "version": version, "text": text}})
}

// tool calls a tool and returns its structured answer.
func (s *editorSession) tool(name string, arguments map[string]any) map[string]any {
	s.t.Helper()
	answer := s.call("agent/tools/call", map[string]any{"name": name, "arguments": arguments})
	result, _ := answer["result"].(map[string]any)
	structured, _ := result["structuredContent"].(map[string]any)
	if structured == nil {
		s.t.Fatalf("%s answers %v", name, answer)
	}
	return structured
}

func TestSessionLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("saved\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newEditorSession(t, dir, os.Getpid())
	s.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{
		"uri": "file://" + path, "languageId": "plaintext", "version": 1, "text": "unsaved\n"}}})
	answer := s.call("agent/tools/call", map[string]any{"name": "read_file", "arguments": map[string]any{"path": "a.txt", "format": "plain"}})
	result, _ := answer["result"].(map[string]any)
	structured, _ := result["structuredContent"].(map[string]any)
	if structured["content"] != "unsaved\n" || structured["source"] != "buffer" {
		t.Errorf("read %v", answer)
	}
	s.call("shutdown", nil)
	s.send(map[string]any{"method": "exit"})
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

func TestSessionEndsWithItsInput(t *testing.T) {
	s := newEditorSession(t, t.TempDir(), os.Getpid())
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

func TestSessionEndsWithItsEditorsProcess(t *testing.T) {
	editor := exec.Command("cat") // lives until its input ends
	in, err := editor.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := editor.Start(); err != nil {
		t.Fatal(err)
	}
	s := newEditorSession(t, t.TempDir(), editor.Process.Pid)
	in.Close()
	if err := editor.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := <-s.done; err != nil { // though its pipes are still open
		t.Error(err)
	}
}

// TestSessionOfNoProcess: an editor that does not say which process it is, or
// none that can be one, is served until its input ends.
func TestSessionOfNoProcess(t *testing.T) {
	for _, pid := range []any{nil, 0, -1 << 31} {
		s := startSession(t, initializeOf(t.TempDir(), map[string]any{"processId": pid}))
		time.Sleep(20 * time.Millisecond) // processes are looked for every one
		s.call("agent/stats", nil)
		s.leave()
	}
}
