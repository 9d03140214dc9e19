//go:build unix

package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

// interrupted leaves behind what a process leaves that is killed after it gave
// the files their new texts, and before it was done.
func (w *world) interrupted(files ...string) {
	w.Helper()
	folder := core.JournalFolder(filepath.Join(w.run, "state"))
	journal, err := atomicfile.OpenJournal(folder)
	w.must(err)
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: w.root}}, settings.Default())
	txn := atomicfile.Begin(gate, journal)
	for _, f := range files {
		p, err := gate.Resolve(f, nil)
		w.must(err)
		old, err := os.ReadFile(w.path(f))
		w.must(err)
		w.must(txn.Replace(p.Consented(), text.HashBytes(old), []byte("half done\n")))
	}
	w.must(txn.Stage())
	w.must(txn.Apply())
	// A copy of the journal is one that no process has locked.
	made, err := filepath.Glob(filepath.Join(folder, "*.journal"))
	w.must(err)
	raw, err := os.ReadFile(made[0])
	w.must(err)
	w.must(os.Remove(made[0]))
	w.leave(filepath.Base(made[0]), raw)
}

func (w *world) leave(name string, journal []byte) {
	w.Helper()
	folder := core.JournalFolder(filepath.Join(w.run, "state"))
	w.must(os.MkdirAll(folder, 0o700))
	w.must(os.WriteFile(filepath.Join(folder, name), journal, 0o600))
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
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for shown := ""; !strings.Contains(shown, said) || !strings.Contains(shown, w.path("a.txt")); shown = strings.Join(e.Messages(), "\n") {
		if err := e.Await(ctx, "window/showMessage"); err != nil {
			t.Fatalf("%v; the editor was shown %q", err, shown)
		}
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
	w.leave("left.journal", []byte("garbage\n"))
	for range 2 { // it stays there, and stays told
		if out, code := w.runProgram("doctor", "--root", w.root); code != 1 || !strings.Contains(out, "damaged") {
			t.Errorf("exit %d: %s", code, out)
		}
	}
}

// TestInterruptedCallsThatNeedConsent: what nobody may change without consent is not put
// back without it; it is told.
func TestInterruptedCallsThatNeedConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "one\n", ".mcp.json": "{}\n"})
	w.interrupted("a.txt", ".mcp.json")
	h := w.host()
	h.want("read_file", m{"path": "a.txt"}, "1|one", "it was undone: .mcp.json, a.txt",
		"left as they are, for changing them needs the person's consent: .mcp.json", "kept for what it holds: .agent-lsp-swap-")
	h.want("read_file", m{"path": ".mcp.json"}, "half done")
}

// forgeJournal leaves a journal, and a file to be put in place by it, as another
// program could.
func (w *world) forgeJournal() {
	w.Helper()
	w.write(".agent-lsp-swap-x", "evil\n")
	sum := text.HashBytes([]byte("evil\n")).String()
	plan := `{"journal":2,"folders":[{"root":"\"` + w.root + `\"","rel":"\".\"","parent":-1}],"steps":[{"kind":0,"in":0,"name":"\".mcp.json\"","home":-1,"away":"\".agent-lsp-swap-x\"","like":-1,"old":"` + sum + `"}]}`
	line := func(s string) string { return fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(s)), s) }
	w.leave("1.journal", []byte(line(plan)+line(`{"staged":[0]}`)))
}

// TestForgedJournal: a journal that was written by something else puts nothing
// in place.
func TestForgedJournal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.forgeJournal()
	w.host().want("find_files", m{"pattern": "*"})
	if _, err := os.Stat(w.path(".mcp.json")); err == nil {
		t.Error(".mcp.json was made")
	}
	if out, code := w.runProgram("doctor", "--root", w.root); code != 1 || !strings.Contains(out, "damaged") {
		t.Errorf("exit %d: %s", code, out)
	}
}
