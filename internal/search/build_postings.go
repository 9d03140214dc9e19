package search

import "encoding/binary"

// postings collects, for every gram, the numbers of the blocks that hold it.
// A gram's list is a chain of chunks in pages of one size, so that nothing is
// ever copied to grow: memory stays near the size of the lists.
type postings struct {
	lists []postingList // by gram
	pages [][]byte
	free  uint32 // where the next chunk may begin
	bytes int64  // of all lists

	distinct int // lists that are not empty
}

// postingList is where one gram's list stands. Its bytes are the differences
// between block numbers, as varints; the first counts from -1.
type postingList struct {
	next  uint32 // the number after the last block's; 0 for an empty list
	first uint32 // the first chunk
	at    uint32 // where the next byte goes
	left  uint16 // room there
	chunk uint16 // size of the last chunk
}

const (
	pageBytes  = 64 << 10
	linkBytes  = 4 // each chunk begins with the place of the next
	firstChunk = 8
	lastChunk  = 256 // chunks double up to this
)

func newPostings() *postings {
	return &postings{lists: make([]postingList, gramCount)}
}

// reset forgets all lists and keeps their memory.
func (p *postings) reset() {
	clear(p.lists)
	p.free, p.bytes, p.distinct = 0, 0, 0
}

// add notes that a block holds g. Blocks come in order, each once.
func (p *postings) add(g gram, block uint32) {
	l := &p.lists[g]
	delta := block + 1 - l.next
	l.next = block + 1
	for delta >= 0x80 {
		p.put(l, byte(delta)|0x80)
		delta >>= 7
	}
	p.put(l, byte(delta))
}

func (p *postings) put(l *postingList, b byte) {
	if l.left == 0 {
		p.grow(l)
	}
	p.pages[l.at/pageBytes][l.at%pageBytes] = b
	l.at++
	l.left--
	p.bytes++
}

func (p *postings) grow(l *postingList) {
	size := min(2*l.chunk, lastChunk)
	if l.chunk == 0 {
		size = firstChunk
	}
	at := p.allocate(uint32(size))
	if l.chunk == 0 {
		l.first = at
		p.distinct++
	} else {
		before := l.at - uint32(l.chunk) // the chunk is full
		binary.LittleEndian.PutUint32(p.pages[before/pageBytes][before%pageBytes:], at)
	}
	l.at, l.left, l.chunk = at+linkBytes, size-linkBytes, size
}

func (p *postings) allocate(size uint32) uint32 {
	if p.free%pageBytes+size > pageBytes {
		p.free += pageBytes - p.free%pageBytes
	}
	if int(p.free/pageBytes) == len(p.pages) {
		p.pages = append(p.pages, make([]byte, pageBytes))
	}
	at := p.free
	p.free += size
	return at
}

// appendList appends the bytes of g's list to dst.
func (p *postings) appendList(dst []byte, g gram) []byte {
	l := p.lists[g]
	if l.next == 0 {
		return dst
	}
	last := l.at + uint32(l.left) - uint32(l.chunk) // where the last chunk begins
	at, size := l.first, uint32(firstChunk)
	for at != last {
		chunk := p.pages[at/pageBytes][at%pageBytes:][:size]
		dst = append(dst, chunk[linkBytes:]...)
		at = binary.LittleEndian.Uint32(chunk)
		size = min(2*size, lastChunk)
	}
	chunk := p.pages[at/pageBytes][at%pageBytes:][:size]
	return append(dst, chunk[linkBytes:len(chunk)-int(l.left)]...)
}
