package workspace

import (
	"path/filepath"
	"slices"
	"strings"
)

// Find returns the index of the file that p names, -1 when it is not in the
// list.
func (f *Files) Find(p Path) int {
	root, rel, ok := f.place(p)
	if !ok {
		return -1
	}
	i, found := slices.BinarySearchFunc(f.List, FileEntry{Root: root, Rel: rel}, compareEntries)
	if !found {
		return -1
	}
	return i
}

// Below returns the files in and below the folder that p names, or the file
// itself, as the half-open range [start, end) of the list.
func (f *Files) Below(p Path) (start, end int) {
	root, rel, ok := f.place(p)
	if !ok {
		return 0, 0
	}
	start, _ = slices.BinarySearchFunc(f.List, FileEntry{Root: root, Rel: rel}, compareEntries)
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

// place returns where p is written to be: the index of its root, and the path
// below it with slashes, "" for the root itself.
func (f *Files) place(p Path) (root int, rel string, ok bool) {
	r, rel, ok := f.gate.locate(p.Abs)
	if !ok || p.Untitled() {
		return 0, "", false
	}
	if rel == "." {
		rel = ""
	}
	return slices.Index(f.gate.roots, r), filepath.ToSlash(rel), true
}

func compareEntries(a, b FileEntry) int {
	if a.Root != b.Root {
		return a.Root - b.Root
	}
	return ComparePaths(a.Rel, b.Rel)
}
