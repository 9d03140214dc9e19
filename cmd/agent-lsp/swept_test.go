//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// killedWriting kills a command that writes a.txt while its new text lies
// beside that. It reports whether it came in time: the write waits for the
// folder, which is locked, but not for long.
func (w *world) killedWriting() bool {
	w.Helper()
	dir, err := os.Open(w.root)
	w.must(err)
	defer dir.Close()
	w.must(syscall.Flock(int(dir.Fd()), syscall.LOCK_EX))
	raw, err := os.ReadFile(w.path("a.txt"))
	w.must(err)
	cmd, p := w.program("mcp", "--root", w.root)
	defer p.Close()
	_, err = fmt.Fprintf(p, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"edit_file","arguments":{"path":"a.txt","expected_hash":%q,"old_text":"one","new_text":"one more"}}}
`, text.HashBytes(raw))
	w.must(err)
	for len(w.beside()) == 0 {
		if now, err := os.ReadFile(w.path("a.txt")); err != nil || string(now) != string(raw) {
			break // it is over already
		}
		time.Sleep(time.Millisecond)
	}
	w.must(cmd.Process.Kill())
	_ = cmd.Wait()
	return len(w.beside()) > 0
}

// beside are our files in the workspace.
func (w *world) beside() []string {
	w.Helper()
	names, err := filepath.Glob(w.path(".agent-lsp-*"))
	w.must(err)
	return names
}

// TestInterruptedWriteIsSwept: what a process that is killed while it writes a
// file leaves beside that is gone after the next start of any that writes, or
// the doctor's; they tell of it.
func TestInterruptedWriteIsSwept(t *testing.T) {
	t.Parallel()
	const said = "an earlier call was interrupted"
	for name, start := range map[string]func(w *world) string{
		"mcp":     func(w *world) string { return w.host().want("read_file", m{"path": "a.txt"}, "1|one") },
		"command": func(w *world) string { w.runProgram("read-file", "--root", w.root, "a.txt"); return said }, // on standard error
		"doctor":  func(w *world) string { out, _ := w.runProgram("doctor", "--root", w.root); return out },
		"editor":  func(w *world) string { w.open(); return said }, // to the person
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"a.txt": "one\n"})
			for !w.killedWriting() {
				w.write("a.txt", "one\n")
			}
			told := start(w)
			if left := w.beside(); left != nil {
				t.Errorf("left: %q", left)
			}
			if raw, _ := os.ReadFile(w.path("a.txt")); string(raw) != "one\n" && string(raw) != "one more\n" {
				t.Errorf("the file holds %q", raw)
			}
			if !strings.Contains(told, said) {
				t.Errorf("told %q", told)
			}
		})
	}
}
