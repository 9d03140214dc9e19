package catalog

import (
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// FileEntry is a regular file of a list.
type FileEntry struct {
	// Root is an index in workspace.Gate.Folders; in a list of [Catalog.Walk] it goes on
	// with the folders of policy.readOnlyRoots.
	Root int
	Rel  string // below its root, with slashes
	ID   fsys.ID
}

// name is the last element of the file's path.
func (e *FileEntry) name() string { return e.Rel[strings.LastIndexByte(e.Rel, '/')+1:] }

// Files is the list of all regular files that agents may see, at one moment.
// It never changes.
type Files struct {
	// List is ordered by root and then by path, where a slash sorts before
	// every other byte: what a folder holds stands together.
	List []FileEntry
	// Hidden counts what policy leaves out, a folder as one; it is never
	// named.
	Hidden int
	// Problems are folders that could not be read, as *fault.Error.
	Problems []error
	// Generation differs from that of every other list of this catalog.
	Generation uint64

	gate *workspace.Gate
}

// Path returns the path of the i-th file.
func (f *Files) Path(i int) workspace.Path {
	e := &f.List[i]
	return f.gate.Path(filepath.Join(f.gate.RootAt(e.Root).Path, filepath.FromSlash(e.Rel)))
}

// ComparePaths orders slash-separated paths so that what a folder holds
// stands together: a slash sorts before every other byte.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		x, y := a[i], b[i]
		switch {
		case x == y:
			continue
		case x == '/':
			return -1
		case y == '/':
			return 1
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}
