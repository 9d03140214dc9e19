package catalog

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Find returns the index of the file that p names, -1 when it is not in the
// list.
func (f *Files) Find(p workspace.Path) int {
	if i, found, _ := f.Seek(p); found {
		return i
	}
	return -1
}

// Seek returns where p stands in the list, or where it would stand. inside is
// false for what lies in none of the folders; then i is the list's length.
func (f *Files) Seek(p workspace.Path) (i int, found, inside bool) {
	root, rel, ok := f.Place(p)
	if !ok {
		return len(f.List), false, false
	}
	i, found = slices.BinarySearchFunc(f.List, FileEntry{Root: root, Rel: rel}, placeOrder)
	return i, found, true
}

// Below returns the files in and below the folder that p names, or the file
// itself, as the half-open range [start, end) of the list.
func (f *Files) Below(p workspace.Path) (start, end int) {
	root, rel, ok := f.Place(p)
	if !ok {
		return 0, 0
	}
	start, _ = slices.BinarySearchFunc(f.List, FileEntry{Root: root, Rel: rel}, placeOrder)
	if rel == "" {
		start, _ = slices.BinarySearchFunc(f.List, root, func(e FileEntry, root int) int { return e.Root - root })
	}
	n, _ := slices.BinarySearchFunc(f.List[start:], root, func(e FileEntry, root int) int {
		if e.Root == root && (rel == "" || e.Rel == rel || strings.HasPrefix(e.Rel, rel+"/")) {
			return -1
		}
		return 1
	})
	return start, start + n
}

// ProblemsBelow returns those of the problems that are about p, or something
// below it.
func (f *Files) ProblemsBelow(p workspace.Path) []error {
	if p.Rel == "." {
		return f.Problems
	}
	return slices.DeleteFunc(slices.Clone(f.Problems), func(err error) bool {
		at := fault.From(err).Path
		return at != p.Rel && !strings.HasPrefix(at, p.Rel+"/")
	})
}

// Place returns where p is written to be: the index of its root, and the path
// below it with slashes, "" for the root itself. ok is false outside all roots.
func (f *Files) Place(p workspace.Path) (root int, rel string, ok bool) {
	r, rel, ok := f.gate.LocateReadable(p.Abs)
	if !ok || p.Untitled() {
		return 0, "", false
	}
	if rel == "." {
		rel = ""
	}
	if root = f.gate.IndexOf(r); root < 0 {
		return 0, "", false // kept output, which is in no list
	}
	return root, filepath.ToSlash(rel), true
}

// Base returns how the paths of a root's files begin where they are held against
// patterns: with the root's place below the folder that its caller named, and a
// slash. It is empty unless the gate was narrowed to a part of that folder.
func (f *Files) Base(root int) string {
	if f.gate == nil {
		return ""
	}
	return f.gate.RootAt(root).Base
}

// JoinFiles returns the files of several lists of one gate, of which each
// continues the one before, as one list. There is at least one.
func JoinFiles(lists ...*Files) *Files {
	out := &Files{gate: lists[0].gate}
	for _, f := range lists {
		out.List = append(out.List, f.List...)
		out.Hidden += f.Hidden
		out.Problems = append(out.Problems, f.Problems...)
	}
	return out
}

func placeOrder(a, b FileEntry) int {
	if a.Root != b.Root {
		return a.Root - b.Root
	}
	return ComparePaths(a.Rel, b.Rel)
}
