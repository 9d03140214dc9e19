package workspace

import (
	"path/filepath"
	"testing"
)

func TestNotebookOf(t *testing.T) {
	dir := t.TempDir()
	g := gateOn(t, nil, dir)
	want := filepath.Join(dir, "a b.ipynb")
	path := filepath.ToSlash(dir) + "/a%20b.ipynb"
	for uri, is := range map[string]bool{
		"vscode-notebook-cell:" + path + "#W0sZmlsZQ%3D%3D":              true,
		"vscode-notebook-cell://" + path + "#ch0000001":                  true,
		"vscode-notebook-cell://ssh-remote%2Bhost" + path + "#W1sZmlsZQ": true,
		"vscode-notebook-cell:Untitled-1.ipynb#W0sdW50aXRsZWQ%3D":        false,
		"vscode-notebook-cell:" + path + ".txt#W0":                       false,
		"vscode-notebook-cell://host":                                    false,
		"vscode-notebook-cell:":                                          false,
		"file://" + path:                                                 false,
		"":                                                               false,
	} {
		p, ok := g.NotebookOf(uri)
		if ok != is || ok && p.Abs != want {
			t.Errorf("NotebookOf(%q) = %q, %v; want %v", uri, p.Abs, ok, is)
		}
	}
}
