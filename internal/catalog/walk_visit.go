package catalog

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// visit brings one folder up to date. That it cannot be read is its problem
// and no failure.
func (w *walker) visit(n *node, s *scratch) {
	d, err := n.tree.dir.OpenBelow(n.rel)
	if err != nil {
		w.lose(n, err)
		return
	}
	defer d.Close()
	if err := w.update(n, d, s); err != nil {
		w.lose(n, err)
	}
}

func (w *walker) update(n *node, d fsys.DirHandle, s *scratch) error {
	st, err := d.Status()
	if err != nil {
		return err
	}
	if n.todo == 0 && w.lookAtNames(n, d, st.ID) {
		return nil
	}
	if replaced := w.dropReplaced(n); n.todo == todoCheck && !replaced {
		if !n.watched {
			n.watched = w.watch(n, st.ID)
		}
		if w.unchanged(n, d, st.ID) {
			n.todo, n.names = 0, nil
			return nil
		}
	}
	n.watched = w.watch(n, st.ID)
	return w.read(n, d, st.ID, s)
}

// dropReplaced forgets the folders whose names may stand for others now; the
// disk may give a new folder the number of an old one.
func (w *walker) dropReplaced(n *node) (dropped bool) {
	for name, replaced := range n.names {
		if sub, i := n.sub(name); sub != nil && replaced {
			w.release(sub)
			n.subs = slices.Delete(n.subs, i, i+1)
			dropped = true
			w.changed.Store(true)
		}
	}
	return dropped
}

// watch has n watched from now on, so that nothing is missed that happens
// after its names are read.
func (w *walker) watch(n *node, id fsys.ID) bool {
	return w.add != nil && !n.remote && w.add(n.path(), id)
}

// lose empties a folder that cannot be read.
func (w *walker) lose(n *node, err error) {
	w.release(n)
	problem := w.explain(n, err)
	if n.problem == nil || n.problem.Error() != problem.Error() || len(n.files)+len(n.subs)+len(n.hidden) > 0 {
		w.changed.Store(true)
	}
	n.files, n.subs, n.hidden, n.linked, n.stamps, n.rules = nil, nil, nil, nil, nil, nil
	n.problem, n.id, n.names, n.below = problem, fsys.ID{}, nil, false
	n.todo = 0 // it is not watched, so every walk tries it again
}

// release ends the watches of n and all below.
func (w *walker) release(n *node) {
	n.each(func(n *node) {
		if n.watched && w.drop != nil {
			w.drop(n.path())
		}
		n.watched = false
	})
}

// explain makes the problem of a folder that cannot be read.
func (w *walker) explain(n *node, err error) error {
	shown := w.gate.Path(n.path()).Rel
	e := fault.From(err).At(shown)
	switch {
	case fsys.IsNotFolder(err), e.Kind == fault.NotFound:
		return fault.New(fault.NotFound, "the folder went away while it was read").At(shown).
			Advise("list again")
	case e.Kind == fault.PermissionDenied:
		return fault.New(fault.PermissionDenied, "the system's file permissions forbid reading the folder").At(shown).
			Advise("what it holds is not in the list; the person can change the permissions").
			With("rule", "file permissions")
	}
	return e.Advise("what the folder holds is not in the list")
}

// unchanged reports whether n's names are still those that are known, and
// brings the states of its files up to date.
func (w *walker) unchanged(n *node, d fsys.DirHandle, id fsys.ID) bool {
	if id != n.id || !n.final || !n.sameStamps(d) {
		return false
	}
	var files []FileEntry
	var linked []string
	name := len(n.rel) // where names begin in paths
	if name > 0 {
		name++
	}
	for i := range n.files {
		e := &n.files[i]
		st, err := d.Lstat(e.Rel[name:])
		if err != nil || !st.Mode.IsRegular() {
			return false
		}
		if st.Links > 1 {
			linked = append(linked, e.Rel[name:])
		}
		if st.ID != e.ID {
			if files == nil {
				files = slices.Clone(n.files)
			}
			files[i].ID = st.ID
		}
	}
	n.linked = linked
	if files != nil {
		n.files = files
		w.changed.Store(true)
	}
	return true
}

// read takes in all names of n.
func (w *walker) read(n *node, d fsys.DirHandle, id fsys.ID, s *scratch) error {
	pseudo := false
	if n.parent == nil || n.id == (fsys.ID{}) && n.parent.id.Dev != id.Dev {
		pseudo, n.remote = d.System()
	} else if n.parent.id.Dev == id.Dev {
		n.remote = n.parent.remote
	}
	if n.remote && n.watched {
		w.drop(n.path())
		n.watched = false
	}
	if pseudo || n.parent == nil && w.gate.HiddenTop(n.tree.root) {
		w.store(n, holding{}, id)
		return nil
	}
	if err := s.read(d); err != nil {
		return err
	}
	stamps := stampsOf(d, s.dots)
	if !slices.Equal(stamps, n.stamps) {
		n.stamps = stamps
		n.forget()
		w.changed.Store(true) // the rules may have other problems
	}
	w.store(n, w.sort(n, d, id, s), id)
	return nil
}

// holding is what a folder turned out to hold.
type holding struct {
	files  []FileEntry
	subs   []*node
	hidden []string
	linked []string
}

// sort decides about every name in s.
func (w *walker) sort(n *node, d fsys.DirHandle, id fsys.ID, s *scratch) holding {
	l := holding{files: make([]FileEntry, 0, len(n.files))}
	rules := w.rulesOf(n, d)
	for _, e := range s.entries {
		w.take(n, d, id, rules, e, &l)
	}
	slices.SortFunc(l.files, func(a, b FileEntry) int { return strings.Compare(a.name(), b.name()) })
	slices.SortFunc(l.subs, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	slices.Sort(l.hidden)
	return l
}

// take adds one name to what it is one of.
func (w *walker) take(n *node, d fsys.DirHandle, id fsys.ID, rules *entryRules, e fsys.DirEntry, l *holding) {
	rel := string(e.Name)
	if n.rel != "" {
		rel = n.rel + "/" + string(e.Name)
	}
	name := rel[len(rel)-len(e.Name):]
	if name == ".git" {
		return
	}
	var st fsys.Status
	if e.Kind == fsys.UnknownKind {
		var err error
		if st, err = d.Lstat(name); err != nil {
			return // it went away
		}
		e.Kind, e.Ino = st.Kind(), st.ID.Ino
	}
	switch w.judge(n, rules, name, e.Kind) {
	case withheld:
		l.hidden = append(l.hidden, name)
		return
	case leftOut:
		return
	case taken:
	}
	if e.Kind == fsys.FolderKind {
		if sub := w.folder(n, name, e.Ino); sub != nil {
			l.subs = append(l.subs, sub)
		}
		return
	}
	if st.ID == (fsys.ID{}) {
		var err error
		if st, err = d.Lstat(name); err != nil || !st.Mode.IsRegular() {
			return // something else took its place: that will be told, too
		}
	}
	if st.ID.Dev == id.Dev || !d.IsPseudoFile(name) {
		l.files = append(l.files, FileEntry{n.tree.index, rel, st.ID})
		if st.Links > 1 {
			l.linked = append(l.linked, name)
		}
	}
}

// A judgement says what becomes of a name.
type judgement int

const (
	taken    judgement = iota
	leftOut            // nothing that lists hold
	withheld           // policy keeps it from agents
)

func (w *walker) judge(n *node, rules *entryRules, name string, k fsys.Kind) judgement {
	isFolder := k == fsys.FolderKind
	if w.gate.HiddenEntry(n.tree.root.Listed(n.folded), name) {
		return withheld
	}
	if _, hides := rules.agents.Hides(name, isFolder); hides {
		return withheld
	}
	if k != fsys.FileKind && k != fsys.FolderKind || !w.all && (isHidden(name) || rules.ignore.Match(name, isFolder)) {
		return leftOut
	}
	return taken
}

// folder returns the node of a folder in n; the one known already, if it may
// still be that.
func (w *walker) folder(n *node, name string, ino uint64) *node {
	sub, _ := n.sub(name)
	if sub == nil {
		sub = n.fresh(name)
		if w.skip[sub.path()] {
			return nil
		}
		return sub
	}
	if ino != 0 && sub.id.Ino != 0 && ino != sub.id.Ino {
		sub.todo |= todoCheck // another folder, or a mount point
	}
	return sub
}

// store makes l what n holds.
func (w *walker) store(n *node, l holding, id fsys.ID) {
	for _, old := range n.subs {
		if _, ok := slices.BinarySearchFunc(l.subs, old.name, func(s *node, name string) int { return strings.Compare(s.name, name) }); !ok {
			w.release(old)
			w.changed.Store(true)
		}
	}
	if n.problem != nil || n.id == (fsys.ID{}) || !slices.Equal(l.files, n.files) || !slices.Equal(l.hidden, n.hidden) {
		w.changed.Store(true)
	}
	if n.id != (fsys.ID{}) && (n.id.Ino != id.Ino || n.id.Dev != id.Dev) {
		for _, s := range l.subs { // another folder took this one's place
			s.forget()
		}
	}
	n.files, n.subs, n.hidden, n.linked, n.problem = l.files, l.subs, l.hidden, l.linked, nil
	n.id, n.final, n.todo, n.names = id, fsys.TimesAreFinal(id, w.now), 0, nil
	n.below = len(n.subs) > 0
}
