package text

// node is an inner node of the tree, the parent of subtrees of equal height.
// It is not changed once a ref to it is in use.
//
// The children stand in the node itself, also where there are fewer, so that
// an edit makes one object a level and a descent visits one. Ten are as many
// as make it just fit a small object of Go's allocator (512 bytes): more would
// spare levels but copy more.
type node struct {
	count int
	room  [maxKids]ref
}

const maxKids = 10

func (n *node) kids() []ref { return n.room[:n.count] }

// ref is a subtree with the summary of everything under it: a chunk or an
// inner node. The summary, and the chunk, stand beside the pointer, in the
// parent, so that a descent reads one block of memory a level and not one a
// child.
type ref struct {
	sum  summary
	node *node  // nil for a chunk
	text string // of a chunk; its bytes belong to it alone
}

func (r *ref) size() int    { return int(r.sum.bytes) }
func (r *ref) isLeaf() bool { return r.node == nil }

// newLeaf returns a chunk that owns s. s is not empty.
func newLeaf(s string) ref { return ref{sum: summarize(s), text: s} }

// newParent returns the parent of kids; there is at least one.
func newParent(kids []ref) ref {
	n := &node{count: len(kids)}
	copy(n.room[:], kids)
	return ref{sum: n.summary(), node: n}
}

// summary counts what is under n.
func (n *node) summary() summary {
	var sum summary
	for i := range n.kids() {
		sum.add(&n.room[i].sum)
	}
	return sum
}

// withKid returns the inner node r with another child in the place of one.
func (r *ref) withKid(kid int, now *ref) ref {
	n := *r.node
	was := n.room[kid].sum
	n.room[kid] = *now
	if !was.sameEdges(&now.sum) {
		return ref{sum: n.summary(), node: &n} // pairs with the neighbours may differ
	}
	sum := r.sum
	sum.exchange(&was, &now.sum)
	return ref{sum: sum, node: &n}
}

// kidHolding returns the index of the child that holds byte o, and the
// child's own start. An o at or past the end gives the last child.
func (n *node) kidHolding(o Offset) (kid int, start Offset) {
	last := n.count - 1
	for kid < last {
		end := start + n.room[kid].size()
		if o < end {
			break
		}
		start = end
		kid++
	}
	return kid, start
}

// kidReaching returns the index of the first child that ends at or after o,
// and the child's own start. An o past the end is not allowed.
func (n *node) kidReaching(o Offset) (kid int, start Offset) {
	for o > start+n.room[kid].size() {
		start += n.room[kid].size()
		kid++
	}
	return kid, start
}

// firstKid returns the child in which an edit of s begins, and the child's
// own start. Text put in between two children goes to the end of the first,
// where the typing was that led there.
func (n *node) firstKid(s Span) (kid int, start Offset) {
	if s.Len() == 0 {
		return n.kidReaching(s.Start)
	}
	return n.kidHolding(s.Start)
}

// place is a chunk of a text with what lies before it.
type place struct {
	text   string
	start  Offset  // of the chunk
	before summary // of the text before the chunk
}

// placeOf returns the chunk that holds byte o. An o at or past the end gives
// the last chunk, an empty text an empty place.
func (t Text) placeOf(o Offset) place {
	var p place
	if t.root == nil {
		return p
	}
	r := t.root
	for !r.isLeaf() {
		kid, _ := r.node.kidHolding(o - int(p.before.bytes))
		for i := range kid {
			p.before.add(&r.node.room[i].sum)
		}
		r = &r.node.room[kid]
	}
	p.text = r.text
	p.start = int(p.before.bytes)
	return p
}

// chunkAt is placeOf without the summary.
func (t Text) chunkAt(o Offset) (chunk string, start Offset) {
	if t.root == nil {
		return "", 0
	}
	r := t.root
	for !r.isLeaf() {
		kid, kidStart := r.node.kidHolding(o - start)
		start += kidStart
		r = &r.node.room[kid]
	}
	return r.text, start
}

// byteAt returns byte o; 0 <= o < t.Len().
func (t Text) byteAt(o Offset) byte {
	chunk, start := t.chunkAt(o)
	return chunk[o-start]
}
