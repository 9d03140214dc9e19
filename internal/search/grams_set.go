package search

// gramSet collects the different grams of one block. Its bits take 64 KB and
// are cleared by what was collected, so a short block costs little.
type gramSet struct {
	seen [gramCount / 64]uint64
	// list holds the grams in the order in which they were first met; what
	// lies behind n is room.
	list []gram
	n    int

	folded uint32 // classes of the bytes before, the last in the low bits
	caps   uint32 // whether those were capitals, likewise
	before int    // how many bytes there were, at most 2
}

// begin starts a block, which counts as preceded by a line end.
func (s *gramSet) begin() {
	for _, g := range s.list[:s.n] {
		s.seen[g/64] = 0
	}
	s.n = 0
	s.folded, s.caps, s.before = uint32(classOf['\n']), 0, 1
}

// grams returns what was collected, until the next begin.
func (s *gramSet) grams() []gram { return s.list[:s.n] }

// add goes on with b, in which every line ends with "\n".
func (s *gramSet) add(b []byte) {
	for len(b) > 0 && s.before < gramLen-1 {
		s.shift(b[0])
		s.before++
		b = b[1:]
	}
	s.makeRoom(len(b))
	list, n, folded, caps := s.list, s.n, s.folded, s.caps
	for _, c := range b {
		k := uint32(classOf[c])
		folded = folded<<classBits | k&classMask
		caps = caps<<1 | k>>classBits
		// Without branches: whether a gram is new cannot be predicted.
		g := folded&foldedMask | (caps&7+7)>>3<<(3*classBits)
		word, bit := &s.seen[g/64%uint32(len(s.seen))], g%64
		list[n] = gram(g)
		n += int(^*word >> bit & 1)
		*word |= 1 << bit
	}
	s.n, s.folded, s.caps = n, folded, caps
}

func (s *gramSet) shift(c byte) {
	k := uint32(classOf[c])
	s.folded = s.folded<<classBits | k&classMask
	s.caps = s.caps<<1 | k>>classBits
}

// makeRoom lets n more grams be listed, and one be written in vain.
func (s *gramSet) makeRoom(n int) {
	need := min(s.n+n, gramCount) + 1
	if need > len(s.list) {
		grown := make([]gram, max(need, 2*len(s.list), blockBytes+1))
		copy(grown, s.list[:s.n])
		s.list = grown
	}
}
