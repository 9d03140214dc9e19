package workspace

import (
	"path/filepath"
	"strings"
)

// cellScheme is that of the documents that VS Code makes of a notebook's
// cells: the notebook's path, and a fragment that names the cell.
const cellScheme = "vscode-notebook-cell"

// NotebookOf returns the notebook that the document with this URI is a cell
// of; false when it is no cell, or that of a notebook without a file.
func (g *Gate) NotebookOf(uri string) (Path, bool) {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || !strings.EqualFold(scheme, cellScheme) {
		return Path{}, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok { // a remote host's name, perhaps: it is where we run
		rest = after[max(0, strings.IndexByte(after, '/')):]
	}
	abs, err := filePath(uri, rest)
	if err != nil || !strings.EqualFold(filepath.Ext(abs), ".ipynb") {
		return Path{}, false
	}
	return g.Path(abs), true
}
