//go:build linux || darwin

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCommandsEndWithWhoRunsThem kills the process that runs a command: over
// MCP, and on the command line.
func TestCommandsEndWithWhoRunsThem(t *testing.T) {
	t.Parallel()
	const command = `sleep 600 & sleep 600 | cat & echo $$ >pid; wait`
	for name, args := range map[string][]string{
		"mcp":            {"mcp"},
		"run-command":    {"run-command", command},
		"persist-output": {"persist-output", "--", "sh", "-c", command},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			config := filepath.Join(w.run, ".config", "agent-lsp", "config.json")
			w.must(os.MkdirAll(filepath.Dir(config), 0o700))
			w.must(os.WriteFile(config, []byte(`{"exec":{"enabled":true}}`), 0o600))
			cmd, p := w.programIn(w.root, args...)
			if name == "mcp" {
				call, err := json.Marshal(m{"name": "run_command", "arguments": m{"command": command}})
				w.must(err)
				_, err = fmt.Fprintf(p, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}
`, call)
				w.must(err)
			}
			group := w.numberIn("pid")
			w.must(cmd.Process.Kill())
			_ = cmd.Wait()
			for start := time.Now(); livesInGroup(group); time.Sleep(5 * time.Millisecond) {
				if time.Since(start) > time.Minute {
					t.Fatal("its command runs on")
				}
			}
		})
	}
}

// numberIn waits for a file with a number and a line's end.
func (w *world) numberIn(name string) int {
	w.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(5 * time.Millisecond) {
		raw, _ := os.ReadFile(w.path(name))
		if line, whole := strings.CutSuffix(string(raw), "\n"); whole {
			n, err := strconv.Atoi(line)
			w.must(err)
			return n
		}
	}
	w.Fatal("the command does not run")
	return 0
}

// livesInGroup reports whether a process of a group runs. One that has ended
// stays in the group until its new parent has looked at it.
func livesInGroup(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		raw, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(raw), ") ")
		if fields := strings.Fields(rest); len(fields) > 2 && fields[2] == strconv.Itoa(group) && fields[0] != "Z" {
			return true
		}
	}
	return len(stats) == 0 && !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH)
}
