package workspace

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// FileURI returns the URI of a file by its absolute path.
func FileURI(abs string) string { return fileURI(abs) }

// Within reports whether p is written below the folder dir.
func (p Path) Within(dir Path) bool {
	if dir.Untitled() {
		return false
	}
	rel, ok := fsys.Below(dir.Abs, p.Abs)
	return ok && rel != "."
}

// Below returns the path below its workspace folder, with slashes and without
// the folder's name; for what is in none, as [Path.Rel].
func (p Path) Below() string { return strings.TrimPrefix(p.Rel, p.prefix) }
