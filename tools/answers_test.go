package tools_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

var update = flag.Bool("update", false, "write the answers of testdata/answers.txt")

var editID = regexp.MustCompile(`edit-\d+-[0-9a-f]+`)

// TestAnswers compares what a model reads of each call in testdata/answers.txt,
// word by word: scenarios hold answers against it that have a structured result
// beside the text. A call begins with "> ", and its answer goes on to the next.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.go": "package a\n\nfunc One() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n",
		"b.py": "class C:\n    def f(self):\n        return 1\n",
		"c.md": "# Title\n\nA word,  \nand a word.\n",
		"d.md": "end",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	background := func(f func(context.Context)) bool { f(t.Context()); return true }
	shared := core.New(core.Config{Background: background, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	defer shared.Close()
	gate, _ := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	shared.SetGate(gate)

	golden := filepath.Join("testdata", "answers.txt")
	want, err := os.ReadFile(golden)
	must(t, err)
	var got strings.Builder
	for line := range strings.Lines(string(want)) {
		call, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		tool, arguments, _ := strings.Cut(strings.TrimSpace(call), " ")
		got.WriteString(line + editID.ReplaceAllString(answer(t, shared, tool, arguments), "$$ID") + "\n")
	}
	if *update {
		must(t, os.WriteFile(golden, []byte(got.String()), 0o600))
	} else if got.String() != string(want) {
		t.Errorf("make update writes what is answered now:\n%s", got.String())
	}
}

// answer returns the text of an answer, as a model reads it.
func answer(t *testing.T, shared *core.Core, tool, arguments string) string {
	env := shared.Env(shared.Snapshot())
	defer env.Close()
	for _, d := range tools.All() {
		if d.Name == tool {
			return string(d.Call(t.Context(), env, wire.RawValue(arguments)).AppendText(nil))
		}
	}
	t.Fatalf("no tool %s", tool)
	return ""
}
