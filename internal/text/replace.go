package text

import (
	"fmt"
	"strings"
)

// Replace returns t with the bytes of s replaced by new; t stays as it is.
// Both ends of s are clamped to the text and floored to characters, and an
// end before the start counts as the start. Invalid bytes of new become
// U+FFFD. It takes O(log n) time and space besides the length of new. It
// panics when the result would be longer than [MaxLen].
func (t Text) Replace(s Span, new string) Text {
	return standard().replace(t, s, validUTF8(new))
}

func (sh shape) replace(t Text, s Span, new string) Text {
	s = s.within(t.Len())
	if s.Len() == 0 && new == "" {
		return t
	}
	mustFit(t.Len() - s.Len() + len(new))
	if t.root == nil {
		return sh.build(new)
	}
	if root, ok := sh.patch(t.root, s, new); ok {
		return Text{root: &root}
	}
	return sh.rooted(sh.splice(t.root, s, new))
}

func mustFit(size int) {
	if size > MaxLen {
		panic(fmt.Sprintf("text: %d bytes are more than a text holds (%d)", size, MaxLen))
	}
}

// patch is splice for the edits that nearly all edits are: those that stay
// in one chunk and leave it a proper size, so that nothing moves. It says no
// to all others.
func (sh shape) patch(r *ref, s Span, new string) (ref, bool) {
	if r.isLeaf() {
		return sh.patchLeaf(r, s, new)
	}
	kid, start := r.node.firstKid(s)
	old := &r.node.room[kid]
	if s.End > start+old.size() {
		return ref{}, false
	}
	patched, ok := sh.patch(old, Span{s.Start - start, s.End - start}, new)
	if !ok {
		return ref{}, false
	}
	return r.withKid(kid, &patched), true
}

func (sh shape) patchLeaf(r *ref, s Span, new string) (ref, bool) {
	text := r.text
	from, to := floorChar(text, s.Start), floorChar(text, s.End)
	size := len(text) - (to - from) + len(new)
	if size > sh.maxLeaf || size < sh.minLeaf() {
		return ref{}, false
	}
	patched := concat(text[:from], new, text[to:])
	// One byte more on either side: a CR or LF there may make or lose a pair.
	lo, hi := max(from-1, 0), min(to+1, len(text))
	sum := r.sum
	old, now := summarize(text[lo:hi]), summarize(patched[lo:hi+size-len(text)])
	sum.exchange(&old, &now)
	sum.pairs = sum.pairs&^edges | edgesOf(patched)
	return ref{sum: sum, text: patched}, true
}

// concat returns a+b+c in memory of its own. Where two of them are empty, +
// gives the third as it is, and a chunk would hold on to the whole message or
// chunk that it was cut out of.
func concat(a, b, c string) string {
	s := a + b + c
	if len(s) == len(a) || len(s) == len(b) || len(s) == len(c) {
		return strings.Clone(s)
	}
	return s
}

// splice replaces the bytes s of a subtree, by offsets within it. The result
// has the subtree's height and any number of trees, also none. A single one
// may be underfull; then either its children are sound or it has only one.
func (sh shape) splice(r *ref, s Span, new string) []ref {
	if r.isLeaf() {
		text := r.text
		from, to := floorChar(text, s.Start), floorChar(text, s.End)
		return sh.chunks(concat(text[:from], new, text[to:]))
	}
	old := r.node.kids()
	first, firstStart := r.node.firstKid(s)
	last, lastStart := r.node.kidReaching(s.End)
	kids := append(make([]ref, 0, len(old)+2), old[:first]...)
	if first == last {
		kids = append(kids, sh.splice(&old[first], Span{s.Start - firstStart, s.End - firstStart}, new)...)
	} else {
		kids = append(kids, sh.splice(&old[first], Span{s.Start - firstStart, old[first].size()}, new)...)
		kids = append(kids, sh.splice(&old[last], Span{0, s.End - lastStart}, "")...)
	}
	end := len(kids)
	kids = append(kids, old[last+1:]...)
	return sh.parents(sh.mend(kids, first, end))
}

// mend joins the underfull ones among kids[from:to] with a neighbour, until
// none is left or there is only one kid. The others must be sound: what is
// joined with one of them is sound, however little it is.
func (sh shape) mend(kids []ref, from, to int) []ref {
	for i := from; i < to && len(kids) > 1; {
		if !sh.underfull(&kids[i]) {
			i++
			continue
		}
		left := max(i-1, 0)
		joined := sh.join(&kids[left], &kids[left+1])
		to += len(joined) - 2
		kids = append(kids[:left], append(joined, kids[left+2:]...)...)
		i = left
	}
	return kids
}

// join returns what two adjacent subtrees of equal height hold as one or two,
// which are sound unless both together are too little for one.
func (sh shape) join(a, b *ref) []ref {
	if a.isLeaf() {
		return sh.chunks(a.text + b.text)
	}
	kids := append(append([]ref(nil), a.node.kids()...), b.node.kids()...)
	seam := a.node.count
	return sh.parents(sh.mend(kids, seam-1, seam+1))
}
