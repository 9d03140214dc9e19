package workspace

import (
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Folder is a workspace folder as the editor or the command line names it.
type Folder struct {
	Name string // shown before paths when there are several; the path's last element when empty
	Path string // absolute
	// Within is a folder around Path, absolute: what is in it may be named too,
	// by its absolute path or with "..", but is neither listed nor searched unless
	// it is. "" for none.
	Within string
}

// Root is one folder of a gate. Its open directory is shared by all gates
// that have the folder, and closed by the garbage collector after the last.
type Root struct {
	Folder
	// prefix starts the shown form of every path below; "" shows paths
	// relative to the folder alone.
	prefix   string
	Above    []string // where its paths begin, as rules see it: as given and, where that differs, without links
	showAbs  bool     // paths below are shown as absolute ones
	readOnly bool     // a further place to read, not a workspace folder
	Dir      *fsys.Folder
	around   []aroundRoot

	// Of a narrowed gate: the folder of the whole one whose rules hold here,
	// where in that this one lies, with slashes, and how a path begins that is
	// given below the view, "child/". See [Gate.Narrow].
	of   *Root
	At   string
	Base string
}

// aroundRoot is another folder of the gate that a folder lies in, and where.
type aroundRoot struct {
	root *Root
	rel  string // with slashes
}

// folderName gives the name to show for a folder: one path element, whatever
// the editor calls it.
func folderName(f Folder) string {
	base := filepath.Base(f.Path)
	name := f.Name
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\n") {
		name = base
	}
	if name == string(filepath.Separator) {
		return "root"
	}
	return name
}
