package catalog

import (
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Type says what a name in a folder stands for.
type Type string

// The types.
const (
	RegularFile Type = "file"
	Directory   Type = "directory"
	Symlink     Type = "symlink"
	Other       Type = "other" // FIFO, socket, device
)

// Entry is one name in a folder, links not followed.
type Entry struct {
	Name string
	Type Type
	// ID is the state of the name itself: of a symbolic link, not of what it
	// leads to.
	ID fsys.ID
	// Target is what a symbolic link says, as written.
	Target string
	// Ignored: an ignore file or a hidden name keeps it from lists by default.
	Ignored bool
}

// isHidden reports whether a name is left out of lists by default because of
// how it begins.
func isHidden(name string) bool { return name[0] == '.' }
