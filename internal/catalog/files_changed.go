package catalog

import (
	"slices"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// FileChange is a file that is not in one list as it is in an earlier one.
type FileChange struct {
	Path          workspace.Path
	Created, Gone bool // neither: its identity, size or times differ
}

// Changed returns what differs from an earlier list of the same folders, in their
// order, as far as there are at most limit, and how many there are: nothing where the
// folders are not the same.
//
// It reads nothing. Files that neither list has, those that ignore files or policy
// leave out, are not told.
func (f *Files) Changed(since *Files, limit int) (list []FileChange, count int) {
	if f == since || !slices.EqualFunc(f.gate.Roots(), since.gate.Roots(), func(a, b *workspace.Root) bool { return a.Folder == b.Folder }) {
		return nil, 0
	}
	tell := func(from *Files, i int, created, gone bool) {
		if count++; count <= limit {
			list = append(list, FileChange{Path: from.Path(i), Created: created, Gone: gone})
		}
	}
	i, j := 0, 0
	for i < len(f.List) || j < len(since.List) {
		var order int
		switch {
		case j == len(since.List):
			order = -1
		case i == len(f.List):
			order = 1
		default:
			order = placeOrder(f.List[i], since.List[j])
		}
		switch {
		case order < 0:
			tell(f, i, true, false)
			i++
		case order > 0:
			tell(since, j, false, true)
			j++
		default:
			if f.List[i].ID != since.List[j].ID {
				tell(f, i, false, false)
			}
			i, j = i+1, j+1
		}
	}
	return list, count
}

// ChangedAfter returns the files that were written, made or renamed at a time or
// later, as far as there are at most limit, and how many there are. Those that are
// gone are not among them.
func (f *Files) ChangedAfter(t time.Time, limit int) (list []FileChange, count int) {
	for i := range f.List {
		if id := &f.List[i].ID; max(id.Mtime, id.Ctime) < t.UnixNano() {
			continue
		}
		if count++; count <= limit {
			list = append(list, FileChange{Path: f.Path(i)})
		}
	}
	return list, count
}
