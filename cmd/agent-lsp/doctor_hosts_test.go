package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/setup"
)

// What hosts say of a server, as they said it.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		text, line string
		good       bool
	}{
		{"agent-lsp:\n  Scope: User config (available in all your projects)\n  Status: ✔ Connected\n  Type: stdio\n", "Status: ✔ Connected", true},
		{"agent-lsp:\n  Scope: Project config\n  Status: ⏸ Pending approval (run `claude` to approve)\n", "Status: ⏸ Pending approval (run `claude` to approve)", false},
		{"agent-lsp:\n  Status: ✘ Failed to connect\n", "Status: ✘ Failed to connect", false},
		{"agent-lsp\n  enabled: true\n  transport: stdio\n", "enabled: true", true},
		{"agent-lsp\n  enabled: false\n", "enabled: false", false},
		{"Configured MCP servers:\n\n○ agent-lsp: agent-lsp mcp (stdio) - Disabled\n", "agent-lsp: agent-lsp mcp (stdio) - Disabled", false},
		{"Configured MCP servers:\n\n\x1b[32m✓\x1b[0m agent-lsp: agent-lsp mcp (stdio) - Connected\n", "agent-lsp: agent-lsp mcp (stdio) - Connected", true},
		{"✗ agent-lsp: agent-lsp mcp (stdio) - Disconnected\n", "agent-lsp: agent-lsp mcp (stdio) - Disconnected", false},
		{"┌  MCP Servers\n│\n●  ✓ agent-lsp \x1b[90mconnected\n│      agent-lsp mcp\n", "agent-lsp connected", true},
		{"Global ~/.config/amp/settings.json\n  agent-lsp  command  agent-lsp mcp\n", "agent-lsp command agent-lsp mcp", true},
		{"No MCP servers configured.\n", "", false},
	} {
		if line, good := answer(c.text); line != c.line || line != "" && good != c.good {
			t.Errorf("%q: %q %t, want %q %t", c.text, line, good, c.line, c.good)
		}
	}
}

// A host that never answers, or says nothing that one can use, ends and is
// told of; one that is not installed costs nothing.
func TestAskHosts(t *testing.T) {
	bin := t.TempDir()
	for name, script := range map[string]string{
		"claude": "echo begun > $HOME/begun; sleep 600; echo ended > $HOME/ended", "codex": "exit 3", "gemini": "printf '✓ agent-lsp: Connected\\n' >&2",
		"qwen": "while :; do echo something else; done | head -c 3000000; exit 0",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("HOME", home)
	want := map[string]string{
		"claude": "WRONG: timeout: claude mcp get agent-lsp has not answered within",
		"codex":  "WRONG: not_found: codex mcp get agent-lsp does not tell of agent-lsp; exit code 3",
		"gemini": "gemini mcp list: agent-lsp: Connected",
		"qwen":   "WRONG: not_found: qwen mcp list does not tell of agent-lsp",
	}
	for _, h := range setup.Hosts() {
		var d doctor
		limit := time.Minute
		if h.Name == "claude" {
			limit = 200 * time.Millisecond
		}
		if len(h.Probe) == 0 {
			continue
		}
		tell := d.ask(t.Context(), home, h, limit)
		if tell != nil {
			tell()
		}
		if told := d.out.String(); !strings.Contains(told, want[h.Name]) || want[h.Name] == "" && told != "" {
			t.Errorf("%s: %q, want %q", h.Name, told, want[h.Name])
		}
	}
	if _, err := os.Stat(filepath.Join(home, "ended")); err == nil {
		t.Error("the host went on")
	}
}
