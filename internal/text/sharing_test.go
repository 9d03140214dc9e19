package text

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestSnapshotsShareMemory holds on to the text after each of a thousand
// edits and counts what they all take together: what they share once.
func TestSnapshotsShareMemory(t *testing.T) {
	const size, edits = 10_000_000, 1000
	text := New(sourceLike(size))
	held := memory{}
	one := held.add(text.root)
	if limit := size * 13 / 10; one > limit {
		t.Errorf("a text of %d bytes takes %d; want at most %d", size, one, limit)
	}
	r := rand.New(rand.NewPCG(5, 6))
	all := one
	for range edits {
		o := r.IntN(text.Len())
		text = text.Replace(Span{o, o}, "x")
		all += held.add(text.root)
	}
	if limit := one * 3 / 2; all > limit {
		t.Errorf("%d snapshots take %d bytes; want at most %d, 1.5 times one", edits, all, limit)
	}
}

// TestTypingAllocatesForOnePath counts the objects that one edit makes: a node
// at each level, the chunk and the root.
func TestTypingAllocatesForOnePath(t *testing.T) {
	text := New(sourceLike(1_000_000))
	height := 0
	for r := text.root; !r.isLeaf(); r = &r.node.room[0] {
		height++
	}
	got := testing.AllocsPerRun(100, func() { text.Replace(Span{500_000, 500_000}, "x") })
	if want := float64(height + 2); got > want {
		t.Errorf("an edit allocates %v objects in a tree of height %d; want at most %v", got, height, want)
	}
}

// TestChunksOwnTheirBytes makes and edits texts out of parts of something
// larger, which no chunk may keep in memory.
func TestChunksOwnTheirBytes(t *testing.T) {
	large := sourceLike(1 << 20)
	base := New(large[100:1100])
	cases := map[string]Text{
		"a small text":              New(large[10:20]),
		"a large text":              New(large[1:]),
		"put into the empty text":   Text{}.Replace(Span{}, large[10:20]),
		"in the place of a text":    base.Replace(Span{0, base.Len()}, large[10:700]),
		"in the place of a larger":  New(large).Replace(Span{0, len(large)}, large[10:700]),
		"what is left after a cut":  base.Replace(Span{0, 300}, ""),
		"what is left before a cut": base.Replace(Span{700, 1000}, ""),
	}
	for name, text := range cases {
		for chunk := range text.Chunks(Span{0, text.Len()}) {
			if within(chunk, large) || within(chunk, base.String()) {
				t.Errorf("%s: a chunk of %d bytes is part of what it was made from", name, len(chunk))
			}
		}
	}
}

// within tells that s begins inside the memory of whole.
func within(s, whole string) bool {
	start := uintptr(unsafe.Pointer(unsafe.StringData(whole)))
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	return at >= start && at < start+uintptr(len(whole))
}

// memory is a set of nodes and chunks, by where they are.
type memory map[unsafe.Pointer]bool

// add returns how many bytes r takes that the set does not have yet, and
// puts them into it.
func (m memory) add(r *ref) int {
	at := unsafe.Pointer(r.node)
	if r.isLeaf() {
		at = unsafe.Pointer(unsafe.StringData(r.text))
	}
	if m[at] {
		return 0
	}
	m[at] = true
	if r.isLeaf() {
		return len(r.text)
	}
	size := int(unsafe.Sizeof(*r.node))
	for i := range r.node.kids() {
		size += m.add(&r.node.room[i])
	}
	return size
}
