package catalog

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// view is what a catalog knows of the folders of one gate, under its policy.
type view struct {
	catalog *Catalog
	gate    *workspace.Gate
	marks   marks     // what may have changed since it was looked at
	lists   listCache // of single folders
	watch   *watch    // nil when nothing can be watched; has its own lock
	state   atomic.Pointer[State]

	token chan struct{} // holds one token; whoever has it may touch what follows

	trees     []*folderTree
	files     *Files
	folders   int     // that files come from
	broken    bool    // the last walk was cut short
	unwatched []*node // folders that are not watched
	repos     []*node // folders whose rules come from elsewhere too
	linked    []*node // folders that are watched, with files that have other names
	rounds    int
}

// folderTree is one folder of a view with all below it.
type folderTree struct {
	root    *workspace.Root
	index   int
	dir     *fsys.Dir // nil: it could not be opened
	above   *entryRules
	top     *node
	gone    bool // the folder is not there, or another one that was not chosen
	skipped bool // an earlier tree is the same folder
}

func newView(c *Catalog, g *workspace.Gate) *view {
	v := &view{catalog: c, gate: g, token: make(chan struct{}, 1)}
	for i, r := range g.Roots() {
		v.trees = append(v.trees, &folderTree{root: r, index: i})
	}
	v.lists.folders = make(map[string]*cachedList)
	if c.watching && !c.closed {
		v.watch = newWatch(v)
	}
	v.token <- struct{}{}
	return v
}

func (v *view) close() {
	if v.watch != nil {
		v.watch.close()
	}
}

// fits reports whether g has the same folders and hides the same as v's gate.
func (v *view) fits(g *workspace.Gate) bool {
	if v.gate == g {
		return true
	}
	return v.gate.ListsAs(g)
}

// list returns the files of all trees as they are now.
func (v *view) list(ctx context.Context) (*Files, error) {
	select {
	case <-v.token:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { v.token <- struct{}{} }()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := v.walker()
	moved := v.refreshTrees(w)
	if v.watch != nil && !v.watch.barrier.wait(ctx) {
		v.marks.noteAll()
	}
	v.takeMarks()
	tops := v.tops()
	if !slices.ContainsFunc(tops, func(n *node) bool { return !n.idle() || n.below }) && !moved && v.files != nil {
		return v.files, nil
	}
	err := w.walk(ctx, tops)
	v.survey()
	if v.broken = err != nil; v.broken {
		v.files = nil // it may be older than what the nodes know
		return nil, err
	}
	if moved || w.changed.Load() || v.files == nil {
		v.publish()
	}
	v.note()
	return v.files, nil
}

func (v *view) walker() *walker {
	w := &walker{gate: v.gate, now: v.catalog.now()}
	if v.watch != nil {
		v.rounds++
		v.watch.retry(v.rounds)
		if v.rounds > 1 || !v.catalog.late {
			w.add = func(path string, id fsys.ID) bool { return v.watch.add(path, id, forTree) }
		}
		w.drop = func(path string) { v.watch.drop(path, forTree) }
	}
	if len(v.trees) > 1 {
		w.skip = make(map[string]bool, len(v.trees))
		for _, t := range v.trees {
			w.skip[t.root.Real()] = true
		}
	}
	return w
}

func (v *view) tops() []*node {
	var tops []*node
	for _, t := range v.trees {
		if t.top != nil {
			tops = append(tops, t.top)
		}
	}
	return tops
}

// refreshTrees sees to it that the trees stand on the folders that their paths name
// now, and under the rules from outside that hold now. It reports whether a
// tree came or went.
func (v *view) refreshTrees(w *walker) (moved bool) {
	seen := make(map[string]bool, len(v.trees))
	for _, t := range v.trees {
		moved = v.refreshTree(t, w, seen) || moved
	}
	for _, n := range v.repos {
		if n.rules != nil && n.rules.ignore.Changed() {
			n.forget()
			n.mark(todoRead)
		}
	}
	return moved
}

func (v *view) refreshTree(t *folderTree, w *walker, seen map[string]bool) (moved bool) {
	gone := !t.root.Dir.Reusable() && !t.root.Dir.Renew()
	o := t.root.Dir.Now()
	real := t.root.Real()
	skipped := o != nil && seen[real]
	seen[real] = true
	if gone == t.gone && o == t.dir && skipped == t.skipped && (t.top != nil || gone || skipped) {
		if t.top != nil && (t.above.ignore.Changed() || !gitignore.SameAgents(t.above.agents, v.gate.AgentTop(t.root))) {
			t.setAbove(v)
			t.top.forget()
		}
		return false
	}
	if t.top != nil {
		w.release(t.top)
	}
	t.dir, t.gone, t.skipped, t.top = o, gone, skipped, nil
	if !gone && !skipped {
		t.setAbove(v)
		if t.top = v.catalog.takeSaved(v, t); t.top == nil {
			t.top = &node{tree: t, folded: t.root.Folds(""), todo: todoRead}
		}
	}
	return true
}

func (t *folderTree) setAbove(v *view) {
	t.above = &entryRules{gitignore.TopRules(t.dir.Real, v.catalog.excludes), v.gate.AgentTop(t.root)}
}

// takeMarks passes on to the nodes what may have changed.
func (v *view) takeMarks() {
	folders, all := v.marks.take()
	if v.broken {
		v.eachTop(func(n *node) { n.remark() })
	}
	if all {
		v.eachTop(func(n *node) { n.each(func(n *node) { n.mark(todoCheck) }) })
	}
	for path, m := range folders {
		v.passOn(path, m)
	}
	for _, n := range v.unwatched {
		n.mark(todoCheck)
	}
	v.lookAtLinked()
}

func (v *view) eachTop(f func(*node)) {
	for _, n := range v.tops() {
		f(n)
	}
}

// passOn marks the folder at path, or else the name by which it would be
// known.
func (v *view) passOn(path string, m *folderMarks) {
	n, missing := v.find(path)
	switch {
	case n == nil:
	case missing != "":
		n.markName(missing, false)
	case m.names == nil:
		n.each(func(n *node) { n.mark(todoCheck) })
		n.mark(todoRead)
	default:
		for name, replaced := range m.names {
			if sub := v.topAt(filepath.Join(path, name)); sub != nil {
				sub.mark(todoCheck)
			}
			n.markName(name, replaced)
		}
	}
}

// topAt returns the top of the tree that stands at the real path.
func (v *view) topAt(path string) *node {
	for _, t := range v.trees {
		if t.top != nil && t.dir.Real == path {
			return t.top
		}
	}
	return nil
}

// find returns the folder at a real path; if it is not known, the nearest
// folder above that is, and the name that is missing there.
func (v *view) find(path string) (n *node, missing string) {
	var rel string
	depth := -1
	for _, t := range v.trees {
		if t.top == nil || len(t.dir.Real) <= depth {
			continue
		}
		if rest, ok := fsys.Below(t.dir.Real, path); ok {
			n, rel, depth = t.top, filepath.ToSlash(rest), len(t.dir.Real)
		}
	}
	for n != nil && rel != "" && rel != "." {
		var name string
		name, rel, _ = strings.Cut(rel, "/")
		sub, _ := n.sub(name)
		if sub == nil {
			return n, name
		}
		n = sub
	}
	return n, ""
}

// survey looks which folders want looking at in every round.
func (v *view) survey() {
	v.unwatched, v.repos, v.linked = v.unwatched[:0], v.repos[:0], v.linked[:0]
	linked := 0
	v.eachTop(func(n *node) {
		n.each(func(n *node) {
			if !n.watched {
				v.unwatched = append(v.unwatched, n)
			}
			if len(n.stamps) > 0 && n.rules != nil {
				v.repos = append(v.repos, n)
			}
			if linked += len(n.linked); n.watched && len(n.linked) > 0 && linked <= maxLinked {
				v.linked = append(v.linked, n)
			}
		})
	})
}

// publish makes the list of what the nodes know.
func (v *view) publish() {
	f := &Files{gate: v.gate, Generation: v.catalog.generation.Add(1)}
	files, folders := 0, 0
	v.eachTop(func(top *node) {
		top.each(func(n *node) {
			files += len(n.files)
			folders++
		})
	})
	f.List = make([]FileEntry, 0, files)
	for _, t := range v.trees {
		switch {
		case t.gone:
			f.Problems = append(f.Problems, fault.New(fault.NotFound, "the workspace folder does not exist").At(t.root.Path).
				Advise("its files are found again when it is there"))
		case t.top != nil:
			t.top.appendTo(f)
		}
	}
	v.files = f
	v.folders = folders
}

// note notes how the lists are kept fresh.
func (v *view) note() {
	s := State{Folders: v.folders, Watched: v.folders - len(v.unwatched), Files: len(v.files.List)}
	s.Watching, s.Why = v.watchState()
	v.state.Store(&s)
}

// watchState reports whether folders are watched, and why some are not.
func (v *view) watchState() (watching bool, why string) {
	switch {
	case fsys.CanWatch != "":
		return false, fsys.CanWatch
	case v.watch == nil:
		return false, "watching is switched off"
	}
	why = v.watch.problem()
	if why == "" && slices.ContainsFunc(v.unwatched, func(n *node) bool { return n.remote }) {
		why = "some folders are on a file system that others change, too"
	}
	return len(v.unwatched) == 0 || v.watch.count() > 0, why
}

// remark sets anew which folders have something to do below them, after a
// walk that was cut short.
func (n *node) remark() (busy bool) {
	n.below = false
	for _, s := range n.subs {
		n.below = s.remark() || n.below
	}
	return n.below || !n.idle()
}
