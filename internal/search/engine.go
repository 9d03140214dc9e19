package search

import (
	"context"
	"unicode/utf8"
)

// engine is what one goroutine needs to run a Matcher. Its automata are made
// when they are needed and remember what they learnt.
type engine struct {
	m    *Matcher
	scan *dfa // finds lines that hold a match
	find *dfa // finds where the leftmost match ends
	back *dfa // finds where a match that ends here starts
	// futile is set once lines that hold a needle turned out to hold no
	// match so often that looking for needles is a waste.
	futile bool
	lanes  [lanes]lane
}

// run is one Match.
type run struct {
	*engine
	ctx   context.Context
	b     []byte
	yield func(start, end int) bool
}

const (
	// strideBytes is how many bytes are searched between two looks at the context.
	strideBytes = 64 << 10
	// maxWork is how many instructions are looked at between them.
	maxWork = 100_000
)

// interrupted returns the context's error if d has worked for a while.
func (r *run) interrupted(d *dfa) error {
	if d.work < maxWork {
		return nil
	}
	d.work = 0
	return r.ctx.Err()
}

func (e *engine) scanner() *dfa {
	if e.scan == nil {
		e.scan = newDFA(e.m.forward(), false, true)
	}
	return e.scan
}

func (e *engine) finder() *dfa {
	if e.find == nil {
		e.find = newDFA(e.m.forward(), true, false)
	}
	return e.find
}

func (e *engine) backer() *dfa {
	if e.back == nil {
		e.back = newDFA(e.m.backward(), false, false)
	}
	return e.back
}

// leftmost returns the leftmost-first match in b that starts at from or
// later. start is -1 when there is none.
func (r *run) leftmost(b []byte, from int) (start, end int, err error) {
	end, _, err = r.matchEnd(b, from, r.finder().p.anywhere)
	if err != nil || end < 0 {
		return -1, -1, err
	}
	start, err = r.matchStart(b, from, end)
	return start, end, err
}

// matchEnd returns where in b the leftmost-first match ends that starts at
// from, or later if inst says so, and how far it had to read. end is -1 when
// there is none.
func (r *run) matchEnd(b []byte, from int, inst uint32) (end, read int, err error) {
	d := r.finder()
	cols, end := &d.p.classes.bytes, -1
	live := [1]uint32{d.start(inst, lastRune(b[:from]))}
	for i, look := from, from; i < len(b); {
		if i >= look {
			look = i + strideBytes
			if err := r.ctx.Err(); err != nil {
				return -1, i, err
			}
		}
		next, row := d.next, live[0]
		entry := uint32(0)
		for stop := min(len(b), look); i < stop; i++ {
			entry = next[row+uint32(cols[b[i]])]
			if entry >= special {
				break
			}
			row = entry
		}
		live[0] = row
		if entry < special {
			continue
		}
		entry, size := d.step(live[:], b[i:], entry)
		if err := r.interrupted(d); err != nil {
			return -1, i, err
		}
		if entry&matched != 0 {
			end = i
		}
		if live[0] = entry & rowMask; live[0] == 0 {
			return end, i, nil
		}
		i += size
	}
	if d.known(live[:], 0, d.p.classes.end)&matched != 0 {
		end = len(b)
	}
	return end, len(b), nil
}

// step takes the character that b begins with, for which the table has the
// special entry given, and returns the true entry and the character's size.
func (d *dfa) step(live []uint32, b []byte, entry uint32) (uint32, int) {
	switch {
	case b[0] >= utf8.RuneSelf:
		c, size := utf8.DecodeRune(b)
		return d.known(live, 0, d.p.classes.of(c)), size
	case entry == unknown:
		return d.fill(live, 0, uint32(d.p.classes.bytes[b[0]])), 1
	}
	return entry, 1
}

// known returns the entry of a step from live[i], computing it if need be.
func (d *dfa) known(live []uint32, i int, col uint32) uint32 {
	if entry := d.next[live[i]+col]; entry != unknown {
		return entry
	}
	return d.fill(live, i, col)
}

// matchStart returns where the leftmost match starts that is not before from
// and ends at end.
func (r *run) matchStart(b []byte, from, end int) (start int, err error) {
	d := r.backer()
	live := [1]uint32{d.start(d.p.anchored, firstRune(b[end:]))}
	start = end
	for i, look := end, end; i > from; {
		if i <= look {
			look = i - strideBytes
			if err := r.ctx.Err(); err != nil {
				return -1, err
			}
		}
		col, size := d.p.classes.last(b[:i])
		entry := d.known(live[:], 0, col)
		if err := r.interrupted(d); err != nil {
			return -1, err
		}
		if entry&matched != 0 {
			start = i
		}
		if live[0] = entry & rowMask; live[0] == 0 {
			return start, nil
		}
		i -= size
	}
	col, _ := d.p.classes.last(b[:from])
	if d.known(live[:], 0, col)&matched != 0 {
		start = from
	}
	return start, nil
}

// last returns the column of the character that b ends with, and its size.
func (c *classes) last(b []byte) (col uint32, size int) {
	if len(b) == 0 {
		return c.end, 0
	}
	if last := b[len(b)-1]; last < utf8.RuneSelf {
		return uint32(c.bytes[last]), 1
	}
	r, size := utf8.DecodeLastRune(b)
	return c.of(r), size
}
