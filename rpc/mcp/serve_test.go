package mcp

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadInEveryRevision(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": "one\n<two>\n"})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			p := dial(t, Config{Backend: newDiskBackend(t, dir)})
			line := call(1, "read_file", map[string]any{"path": "a.txt"})
			if version < firstModern {
				if got := p.initialize(version, "{}")["protocolVersion"]; got != version {
					t.Fatalf("the handshake ends in %v", got)
				}
			} else {
				line = modernCall(line)
			}
			p.send(line)
			raw := p.raw()
			if !strings.Contains(raw, `1|one\n2|<two>`) || strings.Contains(raw, "structuredContent") {
				t.Errorf("read: %s", raw)
			}
			if modern := strings.Contains(raw, `"resultType":"complete"`); modern != (version >= firstModern) {
				t.Errorf("resultType: %s", raw)
			}
		})
	}
}

// modernCall makes a call one of the revision without sessions.
func modernCall(line string) string {
	return strings.Replace(line, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"modern","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`, 1)
}

func TestTwoHundredCallsAtOnce(t *testing.T) {
	dir := workspaceDir(t, map[string]string{"a.txt": strings.Repeat("line\n", 2000)})
	p := dial(t, Config{Backend: newDiskBackend(t, dir)})
	p.initialize("2025-11-25", "{}")
	const n = 200
	go func() {
		for i := range n {
			_, _ = fmt.Fprintln(p.in, call(fmt.Sprint("c", i), "read_file", map[string]any{"path": "a.txt", "start_line": i + 1, "end_line": i + 1}))
		}
	}()
	seen := make(map[string]bool)
	for range n {
		m := p.next()
		id, _ := m["id"].(string)
		said, failed := text(t, m)
		if want := fmt.Sprintf("\n%s|line", strings.TrimPrefix(fmt.Sprint(id), "c")); failed || seen[id] || !strings.Contains(said, "|line") {
			t.Fatalf("%s (%s): %s", id, want, said)
		}
		seen[id] = true
	}
}
