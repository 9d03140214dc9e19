package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnPlaces: what this program keeps for itself is written by no tool, by
// whatever name, before it exists and after, with consent or without.
func TestOwnPlaces(t *testing.T) {
	dir := tree(t, map[string]string{
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
	must(t, os.Link(dir+"/home/.cfg/agent-lsp/config.json", dir+"/home/hard.json"))
	g := gateOn(t, nil, dir+"/home").WithOwn(
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
		must(t, err)
		for _, g := range []*Gate{g, g.WithAgentIgnores(map[string][]byte{dir + "/home/.agentignore": []byte("zzz")})} {
			if got := verdict(g.CheckWrite(p.Consented())); got != want {
				t.Errorf("write %s: %s, want %s", path, got, want)
			}
			if got := verdict(g.CheckRead(p)); got != free {
				t.Errorf("read %s: %s", path, got)
			}
		}
		if _, err := g.Create(nil, p, []byte("x")); (verdict(err) == denied) != (want == denied) && verdict(err) != "already_exists" && verdict(err) != "is_directory" {
			t.Errorf("create %s: %v, want %s", path, err, want)
		}
	}
	// A document that the editor has open, outside.
	p, err := g.FromURI(fileURI(dir + "/other/agent-lsp/config.json"))
	must(t, err)
	if got := verdict(g.CheckWrite(p.Consented())); got != denied {
		t.Errorf("an open document: %s", got)
	}
	// Another gate made after it, and a folder within.
	g, _ = NewGate(g, []Folder{{Path: filepath.Join(dir, "home/.cfg/agent-lsp")}}, g.Settings())
	p, err = g.Resolve("config.json", nil)
	must(t, err)
	if got := verdict(g.CheckWrite(p.Consented())); got != denied {
		t.Errorf("as a workspace folder: %s", got)
	}
}

// TestSites: a folder holds itself and all below it wherever it is mounted, by
// names in any case where it does not exist yet.
func TestSites(t *testing.T) {
	for _, tt := range []struct {
		s, t site
		want bool
	}{
		{site{1, 2, ""}, site{1, 2, ""}, true},
		{site{1, 2, ""}, site{1, 2, "a"}, true},
		{site{1, 2, "a"}, site{1, 2, "a"}, true},
		{site{1, 2, "a"}, site{1, 2, "a/b"}, true},
		{site{1, 2, "a"}, site{1, 2, "ab"}, false},
		{site{1, 2, "a"}, site{1, 2, ""}, false},
		{site{1, 2, ""}, site{1, 3, ""}, false},
		{site{1, 2, ""}, site{3, 2, ""}, false},
	} {
		if got := tt.s.holds(tt.t); got != tt.want {
			t.Errorf("%+v holds %+v: %v", tt.s, tt.t, got)
		}
	}
}

// TestOwnPlacesOfALinkedFolder: a workspace folder that was reached by a link
// which leads elsewhere by now holds what it held.
func TestOwnPlacesOfALinkedFolder(t *testing.T) {
	dir := tree(t, map[string]string{"home/": "", "other/": "", "ws": "-> home"})
	g := gateOn(t, nil, dir+"/ws").WithOwn(dir + "/home/run/agent-lsp")
	must(t, os.Remove(dir+"/ws"))
	must(t, os.Symlink("other", dir+"/ws"))
	for path, want := range map[string]string{"run/agent-lsp/x": "permission_denied", "run/Agent-LSP/x": "permission_denied", "run/x": "free"} {
		p, err := g.Resolve(path, nil)
		must(t, err)
		if got := verdict(g.CheckWrite(p.Consented())); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
