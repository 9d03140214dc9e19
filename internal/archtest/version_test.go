package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVersions holds what has to repeat the file VERSION to it: people install
// the parts together, and each refuses others than its own.
func TestVersions(t *testing.T) {
	repeated := []struct{ file, line string }{
		{"cmd/agent-lsp/main.go", `(?m)^var version = "(.+)-dev"$`},
		{"editor-clients/neovim/lua/agent_lsp/version.lua", `(?m)^M\.VERSION = '(.+)'$`},
		{"editor-clients/emacs/agent-lsp.el", `(?m)^;; Version: (.+)$`},
		{"editor-clients/vscode/package.json", `(?m)^  "version": "(.+)",$`},
		{"editor-clients/vscode/package-lock.json", `(?m)^  "version": "(.+)",$`},
		{"editor-clients/vscode/package-lock.json", `(?m)^      "name": "agent-lsp",\n      "version": "(.+)",$`},
	}
	version := strings.TrimSuffix(read(t, "VERSION"), "\n")
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
		t.Fatalf("VERSION holds %q, not three numbers and a line break", version)
	}
	for _, r := range repeated {
		found := regexp.MustCompile(r.line).FindStringSubmatch(read(t, r.file))
		if found == nil {
			t.Errorf("%s: no version by %s", r.file, r.line)
		} else if found[1] != version {
			t.Errorf("%s: version %s, but VERSION holds %s", r.file, found[1], version)
		}
	}
}

// read returns a file of the module, named from its root.
func read(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
