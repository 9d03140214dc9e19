package catalog

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxNames is how many names of a folder are looked at one by one before all
// of it is read.
const maxNames = 64

// lookAtNames looks at the marked names of n, and reports false when n is to
// be read instead.
func (w *walker) lookAtNames(n *node, d fsys.DirHandle, id fsys.ID) bool {
	if len(n.names) > maxNames || n.id.Ino != id.Ino || n.id.Dev != id.Dev || n.problem != nil {
		return false
	}
	for name := range n.names {
		if saysIgnored(name) {
			return false
		}
	}
	rules := w.rulesOf(n, d)
	w.dropReplaced(n)
	for name := range n.names {
		w.lookAtName(n, d, id, rules, name)
	}
	n.names = nil
	return true
}

// lookAtName brings what is known of one name up to date.
func (w *walker) lookAtName(n *node, d fsys.DirHandle, id fsys.ID, rules *entryRules, name string) {
	var l holding
	w.take(n, d, id, rules, fsys.DirEntry{Name: []byte(name), Kind: fsys.UnknownKind}, &l)
	w.putFile(n, name, l.files)
	w.putFolder(n, name, l.subs)
	w.putHidden(n, name, l.hidden)
	n.linked = append(slices.DeleteFunc(n.linked, func(other string) bool { return other == name }), l.linked...)
}

func (w *walker) putFile(n *node, name string, now []FileEntry) {
	i, ok := n.file(name)
	switch {
	case ok && len(now) == 0:
		n.files = slices.Delete(n.files, i, i+1)
	case ok && n.files[i].ID != now[0].ID:
		n.files[i].ID = now[0].ID
	case !ok && len(now) > 0:
		n.files = slices.Insert(n.files, i, now[0])
	default:
		return
	}
	w.changed.Store(true)
}

func (w *walker) putFolder(n *node, name string, now []*node) {
	old, i := n.sub(name)
	switch {
	case old != nil && len(now) == 0:
		w.release(old)
		n.subs = slices.Delete(n.subs, i, i+1)
	case old == nil && len(now) > 0:
		n.subs = slices.Insert(n.subs, i, now[0])
		n.below = true
	default:
		if old != nil { // its permissions may be what changed
			old.todo |= todoCheck
			n.below = true
		}
		return
	}
	w.changed.Store(true)
}

func (w *walker) putHidden(n *node, name string, now []string) {
	i, ok := slices.BinarySearch(n.hidden, name)
	switch {
	case ok && len(now) == 0:
		n.hidden = slices.Delete(n.hidden, i, i+1)
	case !ok && len(now) > 0:
		n.hidden = slices.Insert(n.hidden, i, name)
	default:
		return
	}
	w.changed.Store(true)
}
