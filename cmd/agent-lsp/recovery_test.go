//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
)

// interrupted leaves behind what a process leaves that is killed after it gave
// the files their new texts, and before it was done.
func (w *world) interrupted(files ...string) {
	w.Helper()
	folder := w.TempDir()
	journal, err := workspace.OpenJournal(folder)
	w.must(err)
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: w.root}}, workspace.DefaultSettings())
	txn := gate.Begin(journal)
	for _, f := range files {
		p, err := gate.Resolve(f, nil)
		w.must(err)
		old, err := os.ReadFile(w.path(f))
		w.must(err)
		w.must(txn.Replace(p, text.HashBytes(old), []byte("half done\n")))
	}
	w.must(txn.Stage())
	w.must(txn.Apply())
	// A copy of the journal is one that no process has locked.
	made, err := filepath.Glob(filepath.Join(folder, "*.journal"))
	w.must(err)
	raw, err := os.ReadFile(made[0])
	w.must(err)
	w.leave(raw)
}

func (w *world) leave(journal []byte) {
	w.Helper()
	folder := tools.JournalFolder(filepath.Join(w.run, "state"))
	w.must(os.MkdirAll(folder, 0o700))
	w.must(os.WriteFile(filepath.Join(folder, "left.journal"), journal, 0o600))
}

// TestInterruptedCallsAreTold: what a start mends is told to the person at the
// editor and to whoever calls first, once; or by the doctor.
func TestInterruptedCallsAreTold(t *testing.T) {
	t.Parallel()
	const said = "an earlier call was interrupted"
	w := newWorld(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	w.interrupted("a.txt", "b.txt")
	e := w.open()
	if raw, _ := os.ReadFile(w.path("a.txt")); string(raw) != "one\n" {
		t.Errorf("a.txt holds %q", raw)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	w.must(e.Await(ctx, "window/showMessage"))
	if shown := strings.Join(e.Messages(), "\n"); !strings.Contains(shown, said) || !strings.Contains(shown, w.path("a.txt")) {
		t.Errorf("the editor was shown %q", shown)
	}
	a := w.assistant("")
	a.want("read_file", m{"path": "a.txt"}, "1|one", said, "it was undone: a.txt, b.txt")
	if _, again := a.call("read_file", m{"path": "a.txt"}); strings.Contains(again, said) {
		t.Errorf("it is told again: %s", again)
	}
	e.close()

	w.interrupted("a.txt")
	if out, code := w.runProgram("doctor", "--root", w.root); code != 0 || !strings.Contains(out, "it was undone: "+w.path("a.txt")) {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, _ := w.runProgram("doctor", "--root", w.root); !strings.Contains(out, "no call was left half done") {
		t.Error(out)
	}
	w.leave([]byte("garbage\n"))
	for range 2 { // it stays there, and stays told
		if out, code := w.runProgram("doctor", "--root", w.root); code != 1 || !strings.Contains(out, "damaged") {
			t.Errorf("exit %d: %s", code, out)
		}
	}
}
