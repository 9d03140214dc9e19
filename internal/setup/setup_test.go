package setup

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

var update = flag.Bool("update", false, "write what the files become")

var server = Server{Command: "/opt/agent lsp/agent-lsp", Args: []string{"mcp"}}

// Each archive is named for its host; "before" becomes "after", which is the
// same when the host's entry is there, or "error".
func TestAdd(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { check(t, file) })
	}
}

func check(t *testing.T, file string) {
	name, _, _ := strings.Cut(filepath.Base(file), "-")
	host, ok := find(strings.TrimSuffix(name, ".txtar"))
	if !ok {
		t.Fatal("no such host")
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := section(archive, "before")
	add := func(src []byte) ([]byte, error) {
		return host.Steps(places, Order{Server: server, Allow: AllowNone})[0].Apply(src)
	}
	after, err := add(before)
	kind, got := "after", after
	if err != nil {
		kind, got = "error", []byte(fault.From(err).Error()+"\n")
	}
	if *update {
		archive.Files = []txtar.File{{Name: "before", Data: before}, {Name: kind, Data: got}}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := section(archive, kind); !bytes.Equal(got, want) {
		t.Errorf("%s\n%s\nwant\n%s", kind, got, want)
	}
	if err != nil {
		return
	}
	again, err := add(after)
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("a second run: %v\n%s", err, again)
	}
	crlf := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }
	if len(before) == 0 {
		return
	}
	marked := append([]byte("\uFEFF"), crlf(before)...)
	got, err = add(marked)
	if want := append([]byte("\uFEFF"), crlf(after)...); err != nil || !bytes.Equal(got, want) {
		t.Errorf("with CRLF and a mark: %v\n%q\nwant\n%q", err, got, want)
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func find(name string) (Host, bool) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

var places = Places{
	Home: "/home", Config: "/home/.config", App: "/home/Library", Claude: "/home", ClaudeSettings: "/home/.claude",
	Codex: "/home/.codex", Copilot: "/home/.copilot", Project: "/tree/sub", Root: "/tree",
}

func TestFiles(t *testing.T) {
	want := map[string][2]string{
		"claude":   {"/home/.claude.json", "/tree/sub/.mcp.json"},
		"codex":    {"/home/.codex/config.toml", "/tree/sub/.codex/config.toml"},
		"copilot":  {"/home/.copilot/mcp-config.json", "/tree/sub/.mcp.json"},
		"gemini":   {"/home/.gemini/settings.json", "/tree/sub/.gemini/settings.json"},
		"qwen":     {"/home/.qwen/settings.json", "/tree/sub/.qwen/settings.json"},
		"opencode": {"/home/.config/opencode/opencode.json", "/tree/sub/opencode.json"},
		"crush":    {"/home/.config/crush/crush.json", "/tree/sub/.crush.json"},
		"amp":      {"/home/.config/amp/settings.json", "/tree/sub/.amp/settings.json"},
		"vscode":   {"/home/Library/Code/User/mcp.json", "/tree/sub/.vscode/mcp.json"},
		"zed":      {"/home/.config/zed/settings.json", "/tree/sub/.zed/settings.json"},
		"cursor":   {"/home/.cursor/mcp.json", "/tree/sub/.cursor/mcp.json"},
	}
	for _, h := range Hosts() {
		if got := [2]string{h.Files(places, false)[0], h.Files(places, true)[0]}; got != want[h.Name] {
			t.Errorf("%s: %v, want %v", h.Name, got, want[h.Name])
		}
	}
	if len(want) != len(Hosts()) {
		t.Errorf("%d hosts, want %d", len(Hosts()), len(want))
	}
}

func TestQuoteIsRead(t *testing.T) {
	for _, command := range []string{`C:\x "y"`, "a\tb\nc", "ü\x7f"} {
		host, _ := find("codex")
		s := Server{Command: command, Args: []string{"mcp", command}}
		out, err := host.addEntry(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := host.addEntry(out, s); err != nil || !bytes.Equal(again, out) {
			t.Errorf("%q: %v", command, err)
		}
	}
}
