//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKilledSetup kills setup while its text lies beside a host's file: after
// the next start nothing does, and the next call does what is missing.
func TestKilledSetup(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--write", "--allow", "all"}, {"--remove"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.must(os.MkdirAll(filepath.Join(w.run, ".claude"), 0o700))
			again := func(args ...string) { w.runProgram(append([]string{"setup", "claude"}, args...)...) }
			reset := func() {
				again("--write", "--allow", "read")
				if args[0] == "--write" {
					again("--remove")
				}
			}
			for reset(); !w.killedSetup(args); reset() {
			}
			w.runProgram("doctor", "--root", w.root)
			if left := w.besideHosts(); left != nil {
				t.Errorf("left: %q", left)
			}
			again(args...)
			out, _ := w.runProgram(append([]string{"setup", "claude"}, args...)...)
			if !strings.Contains(out, "nothing was changed") {
				t.Errorf("a second run: %q", out)
			}
		})
	}
}

// killedSetup kills setup while its text lies beside a file of Claude Code's,
// and reports whether it came in time: the write waits for the folder, which is
// locked, but not for long.
func (w *world) killedSetup(args []string) bool {
	w.Helper()
	lock := func(name string) *os.File {
		dir, err := os.Open(filepath.Join(w.run, name))
		w.must(err)
		w.must(syscall.Flock(int(dir.Fd()), syscall.LOCK_EX))
		return dir
	}
	defer lock("").Close() // else the next try would wait for this one
	defer lock(".claude").Close()
	cmd, p := w.program(append([]string{"setup", "claude"}, args...)...)
	defer p.Close()
	for begin := time.Now(); len(w.besideHosts()) == 0 && time.Since(begin) < 2*time.Second; {
		time.Sleep(time.Millisecond)
	}
	w.must(cmd.Process.Kill())
	_ = cmd.Wait()
	return len(w.besideHosts()) > 0
}

// besideHosts are our files beside those of Claude Code.
func (w *world) besideHosts() (names []string) {
	w.Helper()
	for _, pattern := range []string{".agent-lsp-*", ".claude/.agent-lsp-*"} {
		found, err := filepath.Glob(filepath.Join(w.run, pattern))
		w.must(err)
		names = append(names, found...)
	}
	return names
}
