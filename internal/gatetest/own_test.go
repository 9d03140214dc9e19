package gatetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestOwnPlaces: what this program keeps for itself is written by no tool, by
// whatever name, before it exists and after, with consent or without.
func TestOwnPlaces(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		"home/.cfg/agent-lsp/config.json": "{}",
		"home/a.txt":                      "",
		"home/a":                          "-> .cfg/agent-lsp",
		"home/b.json":                     "-> $DIR/home/.cfg/agent-lsp/config.json",
		"home/deep/":                      "",
		"home/deep/c":                     "-> ../.cfg",
		"home/dots/":                      "",
		"home/later":                      "-> dots/state", // dangles
		"home/dots/cache/":                "",
		"home/.cache":                     "-> dots/cache",
		"home/dots/linked.json":           "{}",
		"other/agent-lsp/config.json":     "-> $DIR/home/dots/linked.json",
	})
	disktest.Must(t, os.Link(dir+"/home/.cfg/agent-lsp/config.json", dir+"/home/hard.json"))
	g := New(t, nil, dir+"/home").WithOwn(
		dir+"/home/.cfg/agent-lsp", dir+"/home/.cfg/agent-lsp/config.json",
		dir+"/home/later/agent-lsp", dir+"/home/.cache/agent-lsp", dir+"/home/run/agent-lsp",
		dir+"/other/agent-lsp", dir+"/other/agent-lsp/config.json", "", "relative",
	)
	const free, denied = "free", "permission_denied"
	for path, want := range map[string]string{
		"a.txt":                      free,
		".cfg/agent-lsp/config.json": denied,
		".cfg/agent-lsp/new":         denied,
		".cfg/Agent-LSP/config.json": denied,
		".CFG/agent-lsp/config.json": denied,
		".cfg/agent-lsp":             denied,
		".cfg/agent-lsp2/x":          free,
		".cfg/other/x":               free,
		"a/config.json":              denied,
		"a/new/x":                    denied,
		"b.json":                     denied,
		"hard.json":                  denied,
		"deep/c/agent-lsp/x":         denied,
		"deep/c/x":                   free,
		"later/agent-lsp/x":          denied,
		"dots/state/agent-lsp/x":     denied,
		"dots/state/Agent-lsp/x":     denied,
		"dots/state/x":               free,
		"dots/cache/agent-lsp/x":     denied,
		".cache/agent-lsp":           denied,
		"dots/linked.json":           denied,
		"run/agent-lsp/s.sock":       denied,
		"run/x":                      free,
	} {
		p, err := g.Resolve(path, nil)
		disktest.Must(t, err)
		for _, g := range []*workspace.Gate{g, g.WithAgentIgnores(map[string][]byte{dir + "/home/.agentignore": []byte("zzz")})} {
			if got := disktest.Verdict(g.CheckWrite(p.Consented())); got != want {
				t.Errorf("write %s: %s, want %s", path, got, want)
			}
			if got := disktest.Verdict(g.CheckRead(p)); got != free {
				t.Errorf("read %s: %s", path, got)
			}
		}
		if _, err := atomicfile.Create(g, nil, p, []byte("x")); (disktest.Verdict(err) == denied) != (want == denied) && disktest.Verdict(err) != "already_exists" && disktest.Verdict(err) != "is_directory" {
			t.Errorf("create %s: %v, want %s", path, err, want)
		}
	}
	// A document that the editor has open, outside.
	p, err := g.FromURI(workspace.FileURI(dir + "/other/agent-lsp/config.json"))
	disktest.Must(t, err)
	if got := disktest.Verdict(g.CheckWrite(p.Consented())); got != denied {
		t.Errorf("an open document: %s", got)
	}
	// Another gate made after it, and a folder within.
	g, _ = workspace.NewGate(g, []workspace.Folder{{Path: filepath.Join(dir, "home/.cfg/agent-lsp")}}, g.Settings())
	p, err = g.Resolve("config.json", nil)
	disktest.Must(t, err)
	if got := disktest.Verdict(g.CheckWrite(p.Consented())); got != denied {
		t.Errorf("as a workspace folder: %s", got)
	}
}

// TestOwnPlacesOfALinkedFolder: a workspace folder that was reached by a link
// which leads elsewhere by now holds what it held.
func TestOwnPlacesOfALinkedFolder(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"home/": "", "other/": "", "ws": "-> home"})
	g := New(t, nil, dir+"/ws").WithOwn(dir + "/home/run/agent-lsp")
	disktest.Must(t, os.Remove(dir+"/ws"))
	disktest.Must(t, os.Symlink("other", dir+"/ws"))
	for path, want := range map[string]string{"run/agent-lsp/x": "permission_denied", "run/Agent-LSP/x": "permission_denied", "run/x": "free"} {
		p, err := g.Resolve(path, nil)
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckWrite(p.Consented())); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
