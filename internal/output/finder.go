package output

import "math/bits"

// finder finds which of many literals a line holds, in one pass over it: the
// automaton of Aho and Corasick, whole, over classes of bytes.
type finder struct {
	class   [256]uint8
	classes int
	nodes   []finderNode
	next    []uint16 // by node and class, once linked
	ends    []bool   // by node: it has owners, once linked
}

type finderNode struct {
	children map[byte]uint16
	owners   ruleSet // rules whose literals end here
}

// maxRules is how many rules there can be.
const maxRules = 192

// ruleSet is a set of rules by their place in the table.
type ruleSet [maxRules / 64]uint64

func (s *ruleSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *ruleSet) join(o *ruleSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *ruleSet) meets(o *ruleSet) bool { return s[0]&o[0]|s[1]&o[1]|s[2]&o[2] != 0 }

func (s *ruleSet) any() bool { return *s != ruleSet{} }

// pop takes the first rule out of the set, which is not empty.
func (s *ruleSet) pop() int {
	for i := range s {
		if s[i] != 0 {
			bit := bits.TrailingZeros64(s[i])
			s[i] &= s[i] - 1
			return i*64 + bit
		}
	}
	return -1
}

func newFinder() *finder {
	return &finder{classes: 1, nodes: []finderNode{{}}} // class 0: bytes of no literal
}

// add gives a literal to the rule owner.
func (f *finder) add(literal string, owner int) {
	at := uint16(0)
	for _, c := range []byte(literal) {
		if f.class[c] == 0 {
			f.class[c] = uint8(f.classes)
			f.classes++
		}
		child, ok := f.nodes[at].children[c]
		if !ok {
			child = uint16(len(f.nodes))
			f.nodes = append(f.nodes, finderNode{})
			if f.nodes[at].children == nil {
				f.nodes[at].children = make(map[byte]uint16)
			}
			f.nodes[at].children[c] = child
		}
		at = child
	}
	f.nodes[at].owners.add(owner)
}

// link completes the automaton: where no literal goes on, it goes to the
// longest beginning of another that the text ends with.
func (f *finder) link() {
	f.next = make([]uint16, len(f.nodes)*f.classes)
	fail := make([]uint16, len(f.nodes))
	f.ends = make([]bool, len(f.nodes))
	queue := []uint16{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		row := f.next[int(at)*f.classes:][:f.classes]
		if at != 0 {
			copy(row, f.next[int(fail[at])*f.classes:][:f.classes])
			f.nodes[at].owners.join(&f.nodes[fail[at]].owners)
		}
		f.ends[at] = f.nodes[at].owners.any()
		for c, child := range f.nodes[at].children {
			if at != 0 {
				fail[child] = row[f.class[c]]
			}
			row[f.class[c]] = child
			queue = append(queue, child)
		}
	}
}

// find returns the rules one of whose literals line holds.
func (f *finder) find(line string) (found ruleSet) {
	at := 0
	for i := range len(line) {
		at = int(f.next[at*f.classes+int(f.class[line[i]])])
		if f.ends[at] {
			found.join(&f.nodes[at].owners)
		}
	}
	return found
}
