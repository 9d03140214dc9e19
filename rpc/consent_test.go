package rpc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

func TestConfirmTextIsBounded(t *testing.T) {
	request := toolcall.ConfirmRequest{Client: toolcall.Client{Name: strings.Repeat("n", 10_000)}, Tool: "apply_patch"}
	for range 1000 {
		request.Files = append(request.Files, toolcall.ConfirmFile{Path: "dir/file.txt", Diff: strings.Repeat("+line\n", 100)})
	}
	text := confirmText(request)
	if len(text) > 3000 || !strings.Contains(text, "and 980 more files") || !strings.Contains(text, "more than is shown") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

// TestNobodyAnswers: a question that nobody answers is a no, and the file stays
// as it is.
func TestNobodyAnswers(t *testing.T) {
	for name, capabilities := range map[string]map[string]any{
		"agent/confirmEdit":         {"experimental": map[string]any{"agentLsp": map[string]any{"confirmEdit": true}}},
		"window/showMessageRequest": {"window": map[string]any{"showMessage": map[string]any{}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			initialize := map[string]any{"processId": os.Getpid(), "rootUri": "file://" + dir, "capabilities": capabilities}
			s := startSession(t, initialize, func(c *Config) { c.ConsentTimeout = 20 * time.Millisecond })
			answer := s.call("agent/tools/call", map[string]any{
				"name": "write_file", "arguments": map[string]any{"path": ".mcp.json", "content": "{}"},
			})
			result, _ := answer["result"].(map[string]any)
			structured, _ := result["structuredContent"].(map[string]any)
			problem, _ := structured["error"].(map[string]any)
			if problem["kind"] != "rejected_by_user" || problem["reason"] != "nobody answered within 20ms" {
				t.Errorf("answer is %v", answer)
			}
			if _, err := os.Lstat(filepath.Join(dir, ".mcp.json")); !os.IsNotExist(err) {
				t.Errorf("the file is there: %v", err)
			}
			if err := s.in.Close(); err != nil {
				t.Error(err)
			}
			if err := <-s.done; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
}
