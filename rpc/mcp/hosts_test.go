package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// TestAnswersFitTheHost: what a call does not ask for is no longer than what the
// host shows; of what it does ask for, both ends tell how to go on.
func TestAnswersFitTheHost(t *testing.T) {
	files := map[string]string{
		"big.txt":  strings.Repeat("the quick brown fox jumps over the lazy dog\n", 20_000),
		"short.go": "package a\n\n" + strings.Repeat("x()\n", 20_000),
		"func.go":  "package a\n\nfunc Long() {\n" + strings.Repeat("\tx = y + z // and more of that\n", 4_000) + "}\n",
	}
	for i := range 300 {
		files[fmt.Sprintf("many/%s%03d.txt", strings.Repeat("long", 40), i)] = strings.Repeat("needle in the hay ", 60) + "\n"
	}
	dir := workspaceDir(t, files)
	for _, name := range []string{"somebody", "claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "opencode", "copilot-cli", "qwen-cli-mcp-client-x"} {
		p := dial(t, Config{Backend: newDiskBackend(t, dir)})
		p.initializeAs(name, "2025-11-25", "{}")
		room := hostOf(name).shows
		ask := func(tool string, arguments map[string]any) string {
			p.send(call(1, tool, arguments))
			text, failed := textOf(t, p.answer(1))
			if failed {
				t.Fatalf("%s: %s %v: %s", name, tool, arguments, text)
			}
			return text
		}
		for _, c := range []struct {
			tool      string
			arguments map[string]any
			least     int // what of the room is used, in hundredths
		}{
			{"read_file", map[string]any{"path": "big.txt"}, 60}, {"read_file", map[string]any{"path": "big.txt", "start_byte": 100_000}, 40}, {"read_file", map[string]any{"path": "big.txt", "offset": 5, "limit": 3000}, 60},
			{"read_file", map[string]any{"path": "big.txt", "start_line": 7}, 60}, {"read_file", map[string]any{"path": "short.go", "start_byte": 1}, 20}, {"read_file", map[string]any{"path": "func.go", "symbol": "Long"}, 60},
			{"read_file", map[string]any{"path": "big.txt", "format": "xml"}, 60}, {"read_file", map[string]any{"path": "big.txt", "format": "plain", "start_byte": 0}, 40},
			{"grep_files", map[string]any{"pattern": "needle"}, 40}, {"grep_files", map[string]any{"pattern": "needle", "output": "files"}, 0}, {"find_files", map[string]any{"pattern": "*.txt"}, 20}, {"list_directory", map[string]any{"path": "many"}, 20},
		} {
			text := ask(c.tool, c.arguments)
			if len(text) > room || len(text) < room*c.least/100 && len(text) < 14_000*c.least/100 {
				t.Errorf("%s: %s %v: %d bytes, of %d", name, c.tool, c.arguments, len(text), room)
			}
		}
		listed, cursor := 0, ""
		for range 100 {
			text := ask("list_directory", map[string]any{"path": "many", "cursor": cursor})
			listed += strings.Count(text, "\nlong")
			_, rest, more := strings.Cut(text, "cursor=\"")
			if cursor, _, _ = strings.Cut(rest, "\""); !more {
				break
			}
		}
		if listed != 300 {
			t.Errorf("%s: %d of 300 names listed over all pages", name, listed)
		}
		for _, arguments := range []map[string]any{{"path": "big.txt", "max_bytes": 200_000}, {"path": "big.txt", "start_byte": 4400, "max_bytes": 120_000}, {"path": "big.txt", "start_line": 1, "end_line": 4000}} {
			text := ask("read_file", arguments)
			begin, end := text[:500], text[len(text)-500:]
			for _, at := range []string{begin, end} {
				if !strings.Contains(at, "big.txt: lines ") || !strings.Contains(at, name) || arguments["max_bytes"] != nil && !strings.Contains(at, "start_byte=") {
					t.Errorf("%s: %v is %d bytes, and an end of it does not tell how to go on:\n%s", name, arguments, len(text), at)
				}
			}
		}
		if text := ask("read_file", map[string]any{"path": "big.txt", "max_bytes": 5000}); strings.Contains(text, name) {
			t.Errorf("%s: a short answer tells that it is long", name)
		}
	}
}

// TestLimitsThatHostsSay: what a host says that it shows makes answers smaller, as
// soon as the process that it started can read it.
func TestLimitsThatHostsSay(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"big.txt": strings.Repeat("the quick brown fox jumps over the lazy dog\n", 20_000)})
	for _, c := range []struct {
		client, says string
		room         int
	}{
		{"claude-code", "", 50_000}, {"claude-code", "25000", 50_000}, {"claude-code", "10000", 20_000}, {"claude-code", "1", leastShown},
		{"claude-code", "1000000", 50_000}, {"claude-code", "-1", 50_000}, {"claude-code", "lots", 50_000}, {"claude-code", "99999999999999999999", 50_000},
		{"codex-mcp-client", "10000", 48_000}, {"somebody", "10000", unknownShows},
	} {
		getenv := func(name string) string { return map[string]string{"MAX_MCP_OUTPUT_TOKENS": c.says}[name] }
		p := dial(t, Config{Backend: newDiskBackend(t, dir), Getenv: getenv})
		p.initializeAs(c.client, "2025-11-25", "{}")
		p.send(call(1, "read_file", map[string]any{"path": "big.txt"}))
		text, failed := textOf(t, p.answer(1))
		if failed || len(text) > c.room || len(text) < min(c.room, 20_000)*3/10 {
			t.Errorf("%s that says %q: %d bytes, of %d", c.client, c.says, len(text), c.room)
		}
	}
}
