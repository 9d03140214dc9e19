package search

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// dfa is a deterministic automaton over a program, built as texts ask for it.
// It belongs to one goroutine.
//
// A state is the instructions that wait for the next character, and what
// counts of the character before. That a match ends is known one character
// later, when the conditions at its end can be judged: the step over that
// character is marked.
type dfa struct {
	p *program
	// ordered: instructions keep their priority, and a match drops those below
	// it, so that the last match of a run is the leftmost-first one. Otherwise
	// they are a set, and all matches are seen.
	ordered bool
	// restart: the end of a text, which is a line, leads to the start of the
	// next one.
	restart bool

	stride uint32
	next   []uint32 // by row + column: what a step leads to, see the constants
	states []state  // by row / stride; the first is dead
	rows   map[string]uint32
	size   int // bytes that the states take, about
	limit  int // of size: when it is passed, the table is built anew

	work             int // instructions looked at, and the like, since the runner last asked
	waiting, reached sparseSet
	stack            []uint32
	key              []byte
}

type state struct {
	insts  []uint32
	before rune
}

// An entry of the table is the row of the next state and these marks. Rows
// stay below them, because the table's size is bounded.
const (
	special = 1 << 31 // stop and look: one of the following, or not known yet
	matched = 1 << 30 // a match ends before the character
	dead    = 1 << 29 // no match from here on
	rowMask = dead - 1
	unknown = special
)

const (
	// maxSize bounds the bytes of an automaton, but that the states of a large
	// program must have their place.
	maxSize            = 2 << 20
	maxPerInstruction  = 64
	statesOverhead     = 128 // of a state besides its instructions and its row
	bytesOfInstruction = 8   // in a state and in its key
)

func newDFA(p *program, ordered, restart bool) *dfa {
	d := &dfa{p: p, ordered: ordered, restart: restart, stride: uint32(p.classes.columns())}
	d.limit = max(maxSize, maxPerInstruction*len(p.inst))
	d.waiting.grow(len(p.inst))
	d.reached.grow(len(p.inst))
	d.reset()
	return d
}

func (d *dfa) reset() {
	d.next, d.states, d.size = d.next[:0], d.states[:0], 0
	d.rows = make(map[string]uint32)
	d.add(nil, ' ') // dead
}

// start returns the row of the state at a place behind the character before,
// where a match may start as inst says. Rows hold until the next fill.
func (d *dfa) start(inst uint32, before rune) uint32 {
	return d.intern([]uint32{inst}, d.p.before(before))
}

// fill computes the step over a character of column col from the state
// live[i]. All rows in use stand in live: when the table is full it is built
// anew from them.
func (d *dfa) fill(live []uint32, i int, col uint32) uint32 {
	if d.size > d.limit {
		d.flush(live)
	}
	from := live[i]
	entry := d.compute(d.states[from/d.stride], col)
	d.next[from+col] = entry
	return entry
}

func (d *dfa) flush(live []uint32) {
	kept := make([]state, len(live))
	for i, row := range live {
		kept[i] = d.states[row/d.stride]
	}
	d.reset()
	for i, s := range kept {
		live[i] = d.intern(s.insts, s.before)
	}
}

func (d *dfa) compute(s state, col uint32) uint32 {
	r := d.p.classes.reps[col]
	hold := conditions(s.before, r)
	d.waiting.clear()
	d.reached.clear()
	match := false
	for _, inst := range s.insts {
		if d.follow(inst, r, hold) {
			match = true
			if d.ordered {
				break
			}
		}
	}
	d.work += len(s.insts) + len(d.reached.dense)
	insts := d.waiting.dense
	if !d.ordered {
		slices.Sort(insts)
	}
	entry := d.intern(insts, d.p.before(r))
	if d.restart && col == d.p.classes.end {
		entry = d.start(d.p.anywhere, noRune)
	}
	if entry == 0 {
		entry = special | dead
	}
	if match {
		entry |= special | matched
	}
	return entry
}

// follow walks from inst over everything that takes no character, under the
// conditions that hold, and collects what waits behind r. It reports whether it
// met a match; an ordered walk ends there.
func (d *dfa) follow(inst uint32, r rune, hold syntax.EmptyOp) bool {
	match := false
	d.stack = append(d.stack[:0], inst)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if !d.reached.add(pc) {
			continue
		}
		in := &d.p.inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			d.stack = append(d.stack, in.Arg, in.Out)
		case syntax.InstNop:
			d.stack = append(d.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^hold == 0 {
				d.stack = append(d.stack, in.Out)
			}
		case syntax.InstMatch:
			match = true
			if d.ordered {
				return true
			}
		case syntax.InstFail, syntax.InstCapture:
		default:
			if r != noRune && takes(in, r) {
				d.waiting.add(in.Out)
			}
		}
	}
	return match
}

func takes(in *syntax.Inst, r rune) bool {
	switch in.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return in.MatchRune(r)
}

// intern returns the row of a state, adding it when it is new.
func (d *dfa) intern(insts []uint32, before rune) uint32 {
	if len(insts) == 0 {
		return 0
	}
	d.key = append(d.key[:0], byte(before))
	for _, inst := range insts {
		d.key = binary.LittleEndian.AppendUint32(d.key, inst)
	}
	if row, ok := d.rows[string(d.key)]; ok {
		return row
	}
	row := d.add(slices.Clone(insts), before)
	d.rows[string(d.key)] = row
	return row
}

func (d *dfa) add(insts []uint32, before rune) uint32 {
	row := uint32(len(d.next))
	d.states = append(d.states, state{insts, before})
	for range d.stride {
		d.next = append(d.next, unknown)
	}
	d.size += bytesOfInstruction*len(insts) + 4*int(d.stride) + statesOverhead
	return row
}

// sparseSet is a set of small numbers that keeps their order and is cleared
// at no cost.
type sparseSet struct {
	dense  []uint32
	sparse []uint32
}

func (s *sparseSet) grow(n int) { s.sparse = make([]uint32, n) }

func (s *sparseSet) clear() { s.dense = s.dense[:0] }

// add reports whether n was not in the set before.
func (s *sparseSet) add(n uint32) bool {
	if i := s.sparse[n]; int(i) < len(s.dense) && s.dense[i] == n {
		return false
	}
	s.sparse[n] = uint32(len(s.dense))
	s.dense = append(s.dense, n)
	return true
}
