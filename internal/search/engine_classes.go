package search

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// classes sorts characters into those that a program does not tell apart. A
// class is a column of the automaton's table.
type classes struct {
	bytes  [256]uint8 // column of an ASCII character; wide for other bytes
	wide   uint32     // no class: the character is longer than this byte
	end    uint32     // the end of the text
	starts []rune     // of intervals of characters, from the lowest
	class  []uint32   // of the interval
	reps   []rune     // one character of each class, by column; noRune for end
}

// newClasses finds the classes of p. With lines, "\n" is an end.
func newClasses(p *program, lines bool) *classes {
	sets := runeSets(p)
	c := &classes{starts: bounds(sets)}
	c.number(c.refine(sets))
	for b := range c.bytes {
		c.bytes[b] = uint8(c.wide)
		if b < utf8.RuneSelf {
			c.bytes[b] = uint8(c.of(rune(b)))
		}
	}
	if lines {
		c.bytes['\n'] = uint8(c.end)
	}
	return c
}

// of returns the column of r.
func (c *classes) of(r rune) uint32 {
	lo, hi := 0, len(c.starts)
	for hi-lo > 1 {
		if m := int(uint(lo+hi) >> 1); c.starts[m] <= r {
			lo = m
		} else {
			hi = m
		}
	}
	return c.class[lo]
}

// columns is how many there are.
func (c *classes) columns() int { return len(c.reps) }

// runeSets returns the sets of characters that p's instructions and
// conditions ask for, each once, as pairs of first and last.
func runeSets(p *program) [][]rune {
	sets := [][]rune{{'\n', '\n'}}
	if p.word {
		sets = append(sets, []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'})
	}
	seen := map[string]bool{}
	for i := range p.inst {
		set := runesOf(&p.inst[i])
		var key []byte
		for _, r := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if len(set) > 0 && !seen[string(key)] {
			seen[string(key)] = true
			sets = append(sets, set)
		}
	}
	return sets
}

// runesOf returns the characters that in matches, as pairs. Those that match
// all but a newline are told apart by it already.
func runesOf(in *syntax.Inst) []rune {
	if in.Op != syntax.InstRune && in.Op != syntax.InstRune1 {
		return nil
	}
	if len(in.Rune) != 1 {
		return in.Rune
	}
	r := in.Rune[0]
	set := []rune{r, r}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			set = append(set, f, f)
		}
	}
	return set
}

// bounds returns where intervals start within which no set tells characters
// apart. One starts where ASCII ends.
func bounds(sets [][]rune) []rune {
	starts := []rune{0, utf8.RuneSelf}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			starts = append(starts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// refine returns a number for each interval, equal for those that are in the
// same sets, and how many numbers there are.
func (c *classes) refine(sets [][]rune) ([]int, int) {
	group, n := make([]int, len(c.starts)), 1
	type split struct{ set, to int } // which set divided a group last, and its part within
	splits := []split{{-1, 0}}
	for k, set := range sets {
		for i := 0; i < len(set); i += 2 {
			at, _ := slices.BinarySearch(c.starts, set[i])
			for ; at < len(c.starts) && c.starts[at] <= set[i+1]; at++ {
				s := &splits[group[at]]
				if s.set != k {
					*s = split{k, n}
					splits = append(splits, split{k, n})
					s = &splits[group[at]]
					n++
				}
				group[at] = s.to
			}
		}
	}
	return group, n
}

// number gives the groups their columns: those of ASCII characters first, so
// that they fit a byte, then the two special ones, then the others.
func (c *classes) number(group []int, n int) {
	column := make([]int, n)
	for i := range column {
		column[i] = -1
	}
	special := false
	c.class = make([]uint32, len(group))
	for i, g := range group {
		if c.starts[i] >= utf8.RuneSelf && !special {
			special = true
			c.wide, c.end = uint32(len(c.reps)), uint32(len(c.reps)+1)
			c.reps = append(c.reps, noRune, noRune)
		}
		if column[g] < 0 {
			column[g] = len(c.reps)
			c.reps = append(c.reps, c.starts[i])
		}
		c.class[i] = uint32(column[g])
	}
}
