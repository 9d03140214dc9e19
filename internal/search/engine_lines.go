package search

import (
	"bytes"
	"unicode/utf8"
)

// lines gives the first match of each line, or each.
func (r *run) lines() error {
	from := 0
	if n := len(r.m.needles); n > 0 && !r.futile {
		at, err := r.candidates()
		if err != nil || at >= len(r.b) {
			return err
		}
		from = at
	}
	return r.everyLine(from)
}

// A candidate costs about as much as scanning this many bytes does.
const (
	costOfCandidate = 128
	patience        = 64 // candidates in vain before the first reckoning
)

// candidates looks at the lines that hold a needle. It returns how far it
// came: to the end, unless needles turn out to be in too many lines.
func (r *run) candidates() (at int, err error) {
	s := newSpotter(r.m.needles, r.b)
	vain := 0
	for at < len(r.b) {
		hit, err := s.next(r.ctx, at)
		if err != nil {
			return at, err
		}
		if hit < 0 {
			break
		}
		start, end := lineAround(r.b, at, hit)
		goOn, found, err := r.candidate(start, end, hit)
		if err != nil || !goOn {
			return len(r.b), err
		}
		at = end + 1
		if found {
			continue
		}
		if vain++; vain > patience && vain > at/costOfCandidate {
			r.futile = true
			return at, nil
		}
	}
	return len(r.b), nil
}

// candidate yields the first match of the line [start,end), or each, which
// holds a needle at hit. It reports whether to go on, and whether there was a
// match.
func (r *run) candidate(start, end, hit int) (goOn, found bool, err error) {
	if n := len(r.m.literal.Text); n > 0 && !r.m.each {
		return r.yield(hit, hit+n), true, nil
	}
	for at := 0; ; {
		s, e, err := r.leftmost(r.b[start:end], at)
		if err != nil || s < 0 {
			return err == nil, found, err
		}
		if goOn, found = r.yield(start+s, start+e), true; !goOn || !r.m.each {
			return goOn, true, nil
		}
		at = e // no match of a pattern that each is asked for is empty
	}
}

// lineAround returns the line of b, without its end, that holds hit; it does
// not start before from.
func lineAround(b []byte, from, hit int) (start, end int) {
	start = from + bytes.LastIndexByte(b[from:hit], '\n') + 1
	if n := bytes.IndexByte(b[hit:], '\n'); n >= 0 {
		return start, hit + n
	}
	return start, len(b)
}

const (
	// lanes is how many parts of a text are scanned side by side: a step of
	// one waits for the memory that the step before asked for.
	lanes = 4
	// A scan takes small windows first, because the caller may want but few
	// matches, and larger ones as it goes on.
	minWindow = 16 << 10
	maxWindow = 256 << 10
	// minLane is the fewest bytes that are worth a lane.
	minLane = 512
)

// lane is a part of the text and how far it is scanned.
type lane struct {
	start, pos, end int
	lines           [][2]int // that hold a match, without their ends
	done            bool     // pos is behind a line without "\n" that holds a match
}

// everyLine scans the lines from at on with the automaton.
func (r *run) everyLine(at int) error {
	for size := minWindow; at < len(r.b); size = min(2*size, maxWindow) {
		end := afterLine(r.b, min(at+size, len(r.b))-1)
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.window(at, end); err != nil {
			return err
		}
		for i := range r.lanes {
			for _, l := range r.lanes[i].lines {
				goOn, _, err := r.candidate(l[0], l[1], l[0])
				if err != nil || !goOn {
					return err
				}
			}
		}
		at = end
	}
	return nil
}

// afterLine returns where the line after the one that holds at starts.
func afterLine(b []byte, at int) int {
	if n := bytes.IndexByte(b[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(b)
}

// window finds the lines of b[at:end), whole ones, that hold a match. They
// stand in the lanes, which follow each other in the text.
func (r *run) window(at, end int) error {
	d := r.scanner()
	live := [lanes]uint32{}
	part := max((end-at)/lanes, minLane)
	for i := range r.lanes {
		l := &r.lanes[i]
		stop := end
		if i < lanes-1 && at+part < end {
			stop = afterLine(r.b[:end], at+part-1)
		}
		*l = lane{start: at, pos: at, end: stop, lines: l.lines[:0]}
		live[i] = d.start(d.p.anywhere, noRune)
		at = stop
	}
	if err := r.together(d, &live); err != nil {
		return err
	}
	for i := range r.lanes {
		if err := r.alone(d, &live, i); err != nil {
			return err
		}
	}
	return nil
}

// together scans all lanes until one is at its end.
func (r *run) together(d *dfa, live *[lanes]uint32) error {
	cols := &d.p.classes.bytes
	for {
		n := strideBytes
		for i := range r.lanes {
			n = min(n, r.lanes[i].end-r.lanes[i].pos)
		}
		if n <= 0 {
			return nil
		}
		l0, l1, l2, l3 := &r.lanes[0], &r.lanes[1], &r.lanes[2], &r.lanes[3]
		b0, b1, b2, b3 := r.b[l0.pos:][:n], r.b[l1.pos:][:n], r.b[l2.pos:][:n], r.b[l3.pos:][:n]
		s0, s1, s2, s3 := live[0], live[1], live[2], live[3]
		next, i := d.next, 0
		for ; i < n; i++ {
			n0 := next[s0+uint32(cols[b0[i]])]
			n1 := next[s1+uint32(cols[b1[i]])]
			n2 := next[s2+uint32(cols[b2[i]])]
			n3 := next[s3+uint32(cols[b3[i]])]
			if (n0 | n1 | n2 | n3) >= special {
				break
			}
			s0, s1, s2, s3 = n0, n1, n2, n3
		}
		*live = [lanes]uint32{s0, s1, s2, s3}
		for k := range r.lanes {
			r.lanes[k].pos += i
			if i < n {
				r.advance(d, live, k)
			}
		}
		if err := r.interrupted(d); err != nil {
			return err
		}
		if i == strideBytes && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
	}
}

// alone scans the rest of lane k.
func (r *run) alone(d *dfa, live *[lanes]uint32, k int) error {
	l, cols := &r.lanes[k], &d.p.classes.bytes
	for l.pos < l.end {
		next, row, i := d.next, live[k], l.pos
		stop := min(l.end, i+strideBytes)
		for ; i < stop; i++ {
			entry := next[row+uint32(cols[r.b[i]])]
			if entry >= special {
				break
			}
			row = entry
		}
		live[k], l.pos = row, i
		if i == stop {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			continue
		}
		r.advance(d, live, k)
		if err := r.interrupted(d); err != nil {
			return err
		}
	}
	if l.done || l.end == l.start || r.b[l.end-1] == '\n' {
		return nil
	}
	if d.known(live[:], k, d.p.classes.end)&matched != 0 {
		r.hit(d, live, k)
	}
	return nil
}

// advance takes one character of lane k, and those that follow it which are
// not ASCII, until it is time to look at the context.
func (r *run) advance(d *dfa, live *[lanes]uint32, k int) {
	l := &r.lanes[k]
	for {
		col, size := uint32(d.p.classes.bytes[r.b[l.pos]]), 1
		if r.b[l.pos] >= utf8.RuneSelf {
			var c rune
			c, size = utf8.DecodeRune(r.b[l.pos:l.end])
			col = d.p.classes.of(c)
		}
		entry := d.known(live[:], k, col)
		if entry&matched != 0 {
			r.hit(d, live, k)
			return
		}
		live[k] = entry & rowMask
		l.pos += size
		d.work += size
		if l.pos >= l.end || r.b[l.pos] < utf8.RuneSelf || d.work > maxWork {
			return
		}
	}
}

// hit notes that the line at lane k's place holds a match and goes to the
// next line.
func (r *run) hit(d *dfa, live *[lanes]uint32, k int) {
	l := &r.lanes[k]
	from := 0
	if n := len(l.lines); n > 0 {
		from = l.lines[n-1][1] + 1
	}
	start, end := lineAround(r.b, from, l.pos)
	l.lines = append(l.lines, [2]int{start, end})
	l.done = end == len(r.b)
	l.pos = min(end+1, l.end)
	live[k] = d.start(d.p.anywhere, noRune)
}
