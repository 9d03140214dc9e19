package text

// Equal tells that t and u hold the same bytes. Subtrees that both share are
// not looked at, so texts that are a few edits apart compare quickly.
func (t Text) Equal(u Text) bool {
	if t.root == u.root {
		return true
	}
	if *t.summary() != *u.summary() {
		return false
	}
	a, b := newWalk(t), newWalk(u)
	for !a.done() {
		skipShared(a, b)
		if a.done() {
			break
		}
		n := min(len(a.chunk()), len(b.chunk()))
		if a.rest[:n] != b.rest[:n] {
			return false
		}
		a.rest, b.rest = a.rest[n:], b.rest[n:]
	}
	return true
}

// skipShared moves two walks that stand at the same offset past the subtrees
// that they share. It goes down whichever is the larger until both stand
// before the same node, or before two chunks.
func skipShared(a, b *walk) {
	for a.atNode() && b.atNode() {
		x, y := a.top(), b.top()
		switch {
		case x.node == y.node && !x.isLeaf():
			a.pop()
			b.pop()
		case x.size() >= y.size() && !x.isLeaf():
			a.open()
		case !y.isLeaf():
			b.open()
		default:
			return
		}
	}
}

// walk goes through a text from start to end: through the rest of a chunk,
// then through the subtrees ahead, the next one last.
type walk struct {
	rest  string
	ahead []*ref
}

func newWalk(t Text) *walk { return &walk{ahead: []*ref{t.root}} }

func (w *walk) done() bool   { return w.rest == "" && len(w.ahead) == 0 }
func (w *walk) atNode() bool { return w.rest == "" && len(w.ahead) > 0 }
func (w *walk) top() *ref    { return w.ahead[len(w.ahead)-1] }
func (w *walk) pop()         { w.ahead = w.ahead[:len(w.ahead)-1] }

// open replaces the next subtree by its children.
func (w *walk) open() {
	kids := w.top().node.kids()
	w.pop()
	for i := len(kids) - 1; i >= 0; i-- {
		w.ahead = append(w.ahead, &kids[i])
	}
}

// chunk returns what is left of the present chunk, going to the next one
// when it is used up. The walk is not done.
func (w *walk) chunk() string {
	if w.rest != "" {
		return w.rest
	}
	for !w.top().isLeaf() {
		w.open()
	}
	w.rest = w.top().text
	w.pop()
	return w.rest
}
