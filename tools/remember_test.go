package tools_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// TestLargeFilesThatWereReadAreMerged: a look into a file of some megabytes is
// enough for an edit to be merged with what another program writes then; of a
// giant file nothing is kept.
func TestLargeFilesThatWereReadAreMerged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "big.txt")
	lines := strings.Repeat("a line of the middle\n", 200_000) // 4 MB
	must(t, os.WriteFile(path, []byte("first\n"+lines+"last\n"), 0o600))
	giant := filepath.Join(dir, "giant.log")
	must(t, os.WriteFile(giant, []byte(strings.Repeat("a line of a log\n", 1_100_000)), 0o600)) // 17 MB

	background := func(f func(context.Context)) bool { f(t.Context()); return true }
	shared := core.New(core.Config{Background: background, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	defer shared.Close()
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	shared.SetGate(gate)
	call := func(tool, arguments string) (toolcall.Result, *toolcall.Env) {
		env := shared.Env(shared.Snapshot())
		defer env.Close()
		for _, d := range tools.All() {
			if d.Name == tool {
				return d.Call(t.Context(), env, wire.RawValue(arguments)), env
			}
		}
		panic(tool)
	}

	for _, file := range []string{"big.txt", "giant.log"} {
		if r, _ := call("read_file", fmt.Sprintf(`{"path": %q, "start_byte": 0, "max_bytes": 100}`, file)); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	read, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte("first\n"+lines+"last, by another\n"), 0o600))
	edit := fmt.Sprintf(`{"path": "big.txt", "expected_hash": %q, "old_text": "first", "new_text": "1", "on_stale": "merge"}`, text.HashBytes(read))
	if r, _ := call("edit_file", edit); r.Err != nil {
		t.Fatal(r.Err)
	}
	if now, _ := os.ReadFile(path); string(now) != "1\n"+lines+"last, by another\n" {
		t.Errorf("%d bytes", len(now))
	}

	raw, err := os.ReadFile(giant)
	must(t, err)
	_, env := call("read_file", `{"path": "giant.log", "start_byte": 0, "max_bytes": 100}`)
	if _, kept := env.Texts.Lookup(text.HashBytes(raw)); kept {
		t.Error("a file of 17 MB is kept")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
