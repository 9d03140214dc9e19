package search

import (
	"encoding/binary"
	"math/bits"
	"sort"
)

// A gram stands in its table twice its number; one more when its postings are
// a bitmap of all blocks, because that is shorter than the list.
const asBitmap = 1

// bitmap is a set of small numbers.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bitmap) set(i int)      { b[i/64] |= 1 << (i % 64) }

func (b bitmap) and(c bitmap) {
	for i := range b {
		b[i] &= c[i]
	}
}

func (b bitmap) or(c bitmap) {
	for i := range b {
		b[i] |= c[i]
	}
}

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// next returns the first number in the set that is at least i, or -1.
func (b bitmap) next(i int) int {
	for w := i / 64; w < len(b); w++ {
		word := b[w]
		if w == i/64 {
			word = word >> (i % 64) << (i % 64)
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// list is where the postings of a gram stand in the file.
type list struct {
	start, end uint32
	bitmap     bool
}

// find returns the postings of g; not found when no block holds it.
func (s *segment) find(g gram) (l list, found bool) {
	n := int(s.listed)
	i := sort.Search(n, func(i int) bool { return u32(s.grams, i)/2 >= uint32(g) })
	if i == n || u32(s.grams, i)/2 != uint32(g) {
		return list{}, false
	}
	l.end, l.bitmap = u32(s.listEnds, i), u32(s.grams, i)&asBitmap != 0
	if i > 0 {
		l.start = u32(s.listEnds, i-1)
	}
	return l, true
}

// addTo adds the blocks of l to set. buf is scratch space.
func (s *segment) addTo(set bitmap, l list, buf *[]byte) error {
	b, err := s.read(l, buf)
	switch {
	case err != nil:
		return err
	case l.bitmap && len(b) != bitmapBytes(int(s.blocks)):
		return errDamaged
	case l.bitmap:
		addBitmap(set, b, int(s.blocks))
		return nil
	case !addVarints(set, b, int(s.blocks)):
		return errDamaged
	}
	return nil
}

// read returns the bytes of l, verified. The chunks that they lie in are
// copied first and verified then, whatever happens to the file meanwhile.
func (s *segment) read(l list, buf *[]byte) ([]byte, error) {
	first := int64(l.start) / chunkBytes
	from, to := first*chunkBytes, roundUp(int64(l.end))
	to = min(to, int64(s.postingBytes))
	if int64(cap(*buf)) < to-from {
		*buf = make([]byte, to-from)
	}
	b := (*buf)[:to-from]
	if err := readFull(s.src, b, from); err != nil {
		return nil, err
	}
	for i := 0; i < len(b); i += chunkBytes {
		if checksum(b[i:min(i+chunkBytes, len(b))]) != u32(s.sums, int(first)+i/chunkBytes) {
			return nil, errDamaged
		}
	}
	return b[int64(l.start)-from : int64(l.end)-from], nil
}

func roundUp(n int64) int64 { return (n + chunkBytes - 1) / chunkBytes * chunkBytes }

// addVarints adds the blocks of a list of differences, and reports whether all
// are below n.
func addVarints(set bitmap, b []byte, n int) bool {
	block := -1
	for i := 0; i < len(b); {
		delta := int(b[i])
		i++
		if delta >= 0x80 {
			v, used := binary.Uvarint(b[i-1:])
			if used <= 0 || v > uint64(n) {
				return false
			}
			delta = int(v)
			i += used - 1
		}
		if block += delta; block < 0 || block >= n {
			return false
		}
		set.set(block)
	}
	return true
}

func bitmapBytes(n int) int { return (n + 7) / 8 }

// addBitmap adds the blocks below n of a bitmap.
func addBitmap(set bitmap, b []byte, n int) {
	for i := 0; len(b) >= 8; i++ {
		set[i] |= binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	for i, c := range b {
		set[len(set)-1] |= uint64(c) << (8 * i)
	}
	if n%64 != 0 {
		set[len(set)-1] &= 1<<(n%64) - 1
	}
}
