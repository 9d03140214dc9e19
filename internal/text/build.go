package text

import "strings"

// shape says how large chunks and nodes get. Texts all have the standard
// shape; tests use small ones, so that every few bytes there is a border.
type shape struct {
	maxLeaf int // bytes of a chunk, at least 12
	maxKids int // children of a node, 4 to maxKids
}

// standard is the shape of every text. Smaller chunks make an edit copy less
// and the tree larger; this gives both at a good price. New chunks just fit a
// size class of Go's allocator (1152 bytes).
func standard() shape { return shape{maxLeaf: 1536, maxKids: maxKids} }

// minLeaf is the least size of a chunk that has neighbours. Splitting never
// gives less: half of a full chunk, less the three bytes by which a cut may
// give way to a character.
func (sh shape) minLeaf() int { return sh.maxLeaf / 4 }

func (sh shape) minKids() int { return sh.maxKids / 2 }

// fill is the size of chunks in a new text, with room for the edits to come.
func (sh shape) fill() int { return sh.maxLeaf * 3 / 4 }

func (sh shape) underfull(r *ref) bool {
	if r.isLeaf() {
		return r.size() < sh.minLeaf()
	}
	return r.node.count < sh.minKids()
}

// chunks cuts s into chunks of about equal size, none for an empty s. Each
// has at least the least size unless there is only one. They own their bytes
// and hold on to s only when there is one, so s must be the caller's to give.
func (sh shape) chunks(s string) []ref {
	if s == "" {
		return nil
	}
	if len(s) <= sh.maxLeaf {
		return []ref{newLeaf(s)}
	}
	parts := fewest(len(s), sh.fill())
	refs := make([]ref, 0, parts)
	start := 0
	for i := 1; i <= parts; i++ {
		end := floorChar(s, int(int64(len(s))*int64(i)/int64(parts)))
		refs = append(refs, newLeaf(strings.Clone(s[start:end])))
		start = end
	}
	return refs
}

// fewest returns how many parts of at most size make up n.
func fewest(n, size int) int { return (n + size - 1) / size }

// parents puts kids of equal height under as few parents as hold them, evenly
// filled; none for no kids. A single parent may have too few.
func (sh shape) parents(kids []ref) []ref {
	if len(kids) == 0 {
		return nil
	}
	count := fewest(len(kids), sh.maxKids)
	refs := make([]ref, 0, count)
	start := 0
	for i := 1; i <= count; i++ {
		end := len(kids) * i / count
		refs = append(refs, newParent(kids[start:end]))
		start = end
	}
	return refs
}

// rooted makes a text of subtrees of equal height: parents are put on top
// until there is one tree, and a top with a single child is taken off.
func (sh shape) rooted(refs []ref) Text {
	if len(refs) == 0 {
		return Text{}
	}
	for len(refs) > 1 {
		refs = sh.parents(refs)
	}
	root := refs[0]
	for !root.isLeaf() && root.node.count == 1 {
		root = root.node.room[0]
	}
	return Text{root: &root}
}

// build makes a text of valid UTF-8.
func (sh shape) build(s string) Text {
	if len(s) <= sh.maxLeaf {
		s = strings.Clone(s)
	}
	return sh.rooted(sh.chunks(s))
}
