package output

import (
	"hash/maphash"
	"slices"
)

// window holds the last items that were pushed, within a number of bytes and,
// when that is set, of items.
type window struct {
	maxBytes, maxItems int
	buf                []item
	start, bytes       int
}

func (w *window) push(it item) {
	w.buf = append(w.buf, it)
	w.bytes += it.size()
	for w.bytes > w.maxBytes || w.maxItems > 0 && len(w.buf)-w.start > w.maxItems {
		w.bytes -= w.buf[w.start].size()
		w.buf[w.start] = item{}
		w.start++
	}
	if w.start > 64 && w.start > len(w.buf)/2 {
		n := copy(w.buf, w.buf[w.start:])
		clear(w.buf[n:])
		w.buf, w.start = w.buf[:n], 0
	}
}

// items returns what is held, oldest first; until the next push.
func (w *window) items() []item { return w.buf[w.start:] }

// Limits of one block, in lines.
const (
	maxBlock     = 2000 // one that goes on is two
	maxBlockHead = 60   // kept of its beginning
	maxBlockTail = 120  // and of its end
)

// block is lines that tell of one error. The middle of a long one is dropped.
type block struct {
	weight weight
	head   []item
	tail   window
	lines  int // with those that were dropped
	room   int // bytes that the head may still take
	times  int // how often it came, where blocks.latest
}

func newBlock(w weight, budget int) *block {
	return &block{weight: w, room: budget / 2, tail: window{maxBytes: budget / 2, maxItems: maxBlockTail}}
}

func (b *block) size() int { return b.lines }

func (b *block) push(it item) {
	b.lines++
	if len(b.head) == 0 || len(b.head) == b.lines-1 && len(b.head) < maxBlockHead && it.size() <= b.room {
		b.head = append(b.head, it)
		b.room -= it.size()
		return
	}
	b.tail.push(it)
}

func (b *block) items() []item { return slices.Concat(b.head, b.tail.items()) }

func (b *block) bytes() int {
	n := b.tail.bytes
	for _, it := range b.head {
		n += it.size()
	}
	return n
}

// blocks keeps the blocks of a stream within a budget of bytes: graver ones
// before others, earlier ones before later ones.
type blocks struct {
	budget int
	list   []*block // in the stream's order
	bytes  int
	full   bool            // something was dropped
	count  [grave + 1]int  // of the list, by weight
	last   int             // place of the last line that some block took
	seen   map[uint64]bool // hashes of blocks, so that the same error is kept once
	seed   maphash.Seed
	latest *latest // nil unless the last blocks are kept, and counted
}

// maxSeen bounds how many blocks are remembered as seen.
const maxSeen = 10_000

func (bs *blocks) add(b *block) {
	items := b.items()
	bs.last = items[len(items)-1].at
	if bs.latest != nil {
		bs.latest.add(bs, b)
		return
	}
	if bs.repeats(items) {
		return
	}
	if b.weight <= bs.refused() {
		return
	}
	bs.list = append(bs.list, b)
	bs.bytes += b.bytes()
	bs.count[b.weight]++
	for bs.bytes > bs.budget && len(bs.list) > 1 {
		bs.full = true
		bs.dropOne()
	}
}

// refused is the weight up to which blocks are not taken any more: a later one
// would be the first to be dropped.
func (bs *blocks) refused() weight {
	if !bs.full || bs.latest != nil {
		return nothing
	}
	for w := warning; w < grave; w++ {
		if bs.count[w] > 0 {
			return w
		}
	}
	return grave
}

// repeats reports whether a block of the same text came before.
func (bs *blocks) repeats(items []item) bool {
	if len(bs.seen) >= maxSeen {
		return false
	}
	if bs.seed == (maphash.Seed{}) {
		bs.seed = maphash.MakeSeed()
	}
	var h maphash.Hash
	h.SetSeed(bs.seed)
	for _, it := range items {
		_, _ = h.WriteString(it.text)
		_ = h.WriteByte('\n')
	}
	sum := h.Sum64()
	if bs.seen[sum] {
		return true
	}
	bs.seen[sum] = true
	return false
}

// dropOne drops the latest of the least grave blocks.
func (bs *blocks) dropOne() {
	worst, lightest := 0, grave+1
	for i, b := range slices.Backward(bs.list) {
		if b.weight < lightest {
			worst, lightest = i, b.weight
		}
	}
	bs.count[lightest]--
	bs.bytes -= bs.list[worst].bytes()
	bs.list = slices.Delete(bs.list, worst, worst+1)
}
