package catalog

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// todo says what is to be done about a folder before its list is right.
type todo uint8

const (
	todoCheck todo = 1 << iota // compare times with the disk, re-read if they differ
	todoRead                   // read its names
)

// node is one folder of a tree, which is neither hidden nor ignored.
//
// A node is changed only by whoever has the turn of its view and, during a
// walk, by the one worker that visits it.
type node struct {
	tree   *folderTree
	parent *node
	name   string
	rel    string // below the tree's top, with slashes; "" is the top
	folded string // rel as policy sees it

	id     fsys.ID     // just before its names were read; zero: never
	final  bool        // and every later change of its names gives another id
	files  []FileEntry // to be listed, in order
	subs   []*node     // in order of their names
	hidden []string    // names that policy leaves out, in order
	linked []string    // files that have other names, too, see catalog_linked.go
	stamps []stamp     // its ignore files
	rules  *entryRules // nil: not known yet
	// problem is why it could not be read.
	problem error

	watched bool
	remote  bool // on a file system that others change, too

	todo  todo
	names map[string]bool // to be looked at; true: what it names may be another one
	below bool            // a folder below has something to do
}

// stamp is the state of an ignore file; absent ones have a zero ID.
type stamp struct {
	name string
	id   fsys.ID
}

// fresh returns a node that is to be read.
func (n *node) fresh(name string) *node {
	sub := &node{tree: n.tree, parent: n, name: name, rel: fsys.JoinSlash(n.rel, name), todo: todoRead}
	sub.folded = fsys.JoinSlash(n.folded, fsys.FoldPath(name))
	return sub
}

// path is the folder's absolute path, without links.
func (n *node) path() string { return filepath.Join(n.tree.dir.Real, filepath.FromSlash(n.rel)) }

// sub returns the folder of that name in n, or nil, and where in n.subs it is
// or would be.
func (n *node) sub(name string) (*node, int) {
	i, ok := slices.BinarySearchFunc(n.subs, name, func(s *node, name string) int { return strings.Compare(s.name, name) })
	if !ok {
		return nil, i
	}
	return n.subs[i], i
}

// file returns the index of the file of that name in n.files.
func (n *node) file(name string) (int, bool) {
	return slices.BinarySearchFunc(n.files, name, func(e FileEntry, name string) int { return strings.Compare(e.name(), name) })
}

// mark notes what is to be done about n.
func (n *node) mark(what todo) {
	n.todo |= what
	for up := n.parent; up != nil && !up.below; up = up.parent {
		up.below = true
	}
}

// markName notes that a name in n is to be looked at.
func (n *node) markName(name string, replaced bool) {
	if n.names == nil {
		n.names = make(map[string]bool)
	}
	n.names[name] = n.names[name] || replaced
	n.mark(0)
}

// idle reports whether there is nothing to do about n itself.
func (n *node) idle() bool { return n.todo == 0 && len(n.names) == 0 }

// forget takes back what is known of n and all below: rules changed, or
// another folder is there now.
func (n *node) forget() {
	n.rules = nil
	n.todo |= todoRead
	for _, s := range n.subs {
		s.forget()
	}
	n.below = len(n.subs) > 0
}

// each calls f with n and every folder below.
func (n *node) each(f func(*node)) {
	f(n)
	for _, s := range n.subs {
		s.each(f)
	}
}

// appendTo appends all files at and below n in the order of [Files].
func (n *node) appendTo(out *Files) {
	out.Hidden += len(n.hidden)
	if n.problem != nil {
		out.Problems = append(out.Problems, n.problem)
	}
	if n.rules != nil {
		out.Problems = append(out.Problems, n.rules.ignore.Problems...)
	}
	rest := n.files
	for _, s := range n.subs {
		i, _ := slices.BinarySearchFunc(rest, s.name, func(e FileEntry, name string) int { return strings.Compare(e.name(), name) })
		out.List = append(out.List, rest[:i]...)
		rest = rest[i:]
		s.appendTo(out)
	}
	out.List = append(out.List, rest...)
}
