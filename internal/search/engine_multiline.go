package search

import (
	"unicode/utf8"
)

// matches gives all matches, which may reach over line ends.
func (r *run) matches() error {
	if found, err := r.promising(); err != nil || !found {
		return err
	}
	find := r.search()
	last := -1 // the end of the match before
	for at := 0; at <= len(r.b); {
		start, end, err := find(at)
		if err != nil || start < 0 {
			return err
		}
		if !(start == end && (start == last || r.beyond(start))) && !r.yield(start, end) {
			return nil
		}
		if last = end; end > at {
			at = end
			continue
		}
		_, size := utf8.DecodeRune(r.b[at:])
		at += max(size, 1)
	}
	return nil
}

// beyond reports whether at is behind the final "\n", where there is no line.
func (r *run) beyond(at int) bool {
	return at == len(r.b) && (at == 0 || r.b[at-1] == '\n')
}

// promising reports whether a needle is anywhere in the text.
func (r *run) promising() (bool, error) {
	if len(r.m.needles) == 0 {
		return true, nil
	}
	hit, err := newSpotter(r.m.needles, r.b).next(r.ctx, 0)
	return hit >= 0, err
}

// search returns what finds the leftmost match at a place or later, for
// places in order.
func (r *run) search() func(at int) (start, end int, err error) {
	plain := func(at int) (int, int, error) { return r.leftmost(r.b, at) }
	switch {
	case r.m.literal.Text != "":
		s := newSpotter([]needle{newNeedle(r.m.literal)}, r.b)
		return func(at int) (int, int, error) {
			hit, err := s.next(r.ctx, at)
			return hit, hit + len(r.m.literal.Text), err
		}
	case len(r.m.leads) == 0:
		return plain
	}
	l := &leadSearch{run: r, spotter: newSpotter(r.m.leads, r.b), budget: leadBudget * len(r.b)}
	return func(at int) (int, int, error) {
		if l.budget < 0 {
			return plain(at)
		}
		return l.next(at)
	}
}

// leadSearch looks for matches where a needle is that every match starts
// with.
type leadSearch struct {
	*run
	spotter *spotter
	budget  int // bytes that may still be read
}

// Matches that are tried at many places may read the same bytes over and
// over. When they have read this many times the text, the automaton that
// reads it once for all places takes over.
const leadBudget = 4

func (l *leadSearch) next(at int) (start, end int, err error) {
	for l.budget >= 0 {
		hit, err := l.spotter.next(l.ctx, at)
		if err != nil || hit < 0 {
			return -1, -1, err
		}
		end, read, err := l.matchEnd(l.b, hit, l.finder().p.anchored)
		if err != nil || end >= 0 {
			return hit, end, err
		}
		l.budget -= read - hit
		at = hit + 1
	}
	return l.leftmost(l.b, at)
}
