package search

import (
	"bytes"
	"context"
	"math"
	"strings"
)

// needle is a literal to look for.
type needle struct {
	text  []byte // lower case where it folds
	fold  bool
	line  bool   // text begins with the line end before a line, which is there before the first one too
	rare  int    // offset of the rarest byte of text, where it folds
	exact Finder // of text, where it does not
}

// What looking for needles costs, in nanoseconds a byte of text, about.
const (
	costOfNeedle = 0.1 // one pass
	costOfByte   = 5   // a place where a folded needle's rare byte is
	costOfHit    = 100 // a line that holds a needle
	costOfScan   = 1   // what the automaton needs
	maxNeedles   = 8
)

// bestNeedles returns the set that is the cheapest to look for, or nothing
// where the automaton is cheaper. With lines, a "\n" that a literal begins with
// is the line end before a line.
func bestNeedles(sets [][]Literal, lines bool) []needle {
	var best []needle
	bestCost := float64(costOfScan)
	for _, set := range sets {
		if len(set) > maxNeedles {
			continue
		}
		needles, cost := make([]needle, len(set)), hitRate(set)*costOfHit
		for i, l := range set {
			needles[i] = newNeedle(l)
			needles[i].line = lines && l.Text[0] == '\n'
			cost += needles[i].cost()
		}
		if cost < bestCost {
			best, bestCost = needles, cost
		}
	}
	return best
}

func newNeedle(l Literal) needle {
	n := needle{text: []byte(l.Text), fold: l.Fold}
	if !l.Fold {
		n.exact = NewFinder(l.Text)
		return n
	}
	for i, c := range n.text {
		if foldedRarity(c) > foldedRarity(n.text[n.rare]) {
			n.rare = i
		}
	}
	return n
}

func (n *needle) cost() float64 {
	if !n.fold {
		return costOfNeedle
	}
	return 2*costOfNeedle + costOfByte*math.Exp2(-foldedRarity(n.text[n.rare]))
}

// leadNeedles returns needles one of which is at the start of every match.
func leadNeedles(ps []piece) []needle {
	if len(ps) == 0 {
		return nil
	}
	set := make([]Literal, len(ps[0].texts))
	for i, t := range ps[0].texts {
		set[i] = Literal{strings.TrimPrefix(t.Text, anchor), t.Fold && hasLetter(t.Text)}
	}
	if !telling(set) {
		return nil
	}
	return bestNeedles([][]Literal{set}, false)
}

// spotter finds needles in a text, from the front to the back.
type spotter struct {
	b       []byte
	limit   int // hits below are looked for; cursors hold for this limit
	cursors []cursor
}

// cursor is where a needle is next; none when it is not below the limit.
type cursor struct {
	*needle
	hit          int
	lower, upper int // the rare byte, for a needle that folds
}

const (
	none      = math.MaxInt
	unsought  = -1
	spotBytes = 256 << 10 // between two looks at the context
)

func newSpotter(needles []needle, b []byte) *spotter {
	s := &spotter{b: b, cursors: make([]cursor, len(needles))}
	for i := range needles {
		s.cursors[i].needle = &needles[i]
	}
	s.reach(0)
	return s
}

// reach sets the limit a step behind from.
func (s *spotter) reach(from int) {
	s.limit = min(from+spotBytes, len(s.b))
	for i := range s.cursors {
		c := &s.cursors[i]
		c.hit, c.lower, c.upper = unsought, unsought, unsought
	}
}

// next returns the first place at from or later where a needle is, or -1. Of
// a needle that begins with a line end it is the place behind that.
func (s *spotter) next(ctx context.Context, from int) (int, error) {
	for {
		if from >= s.limit {
			if from >= len(s.b) {
				return -1, nil
			}
			if err := ctx.Err(); err != nil {
				return -1, err
			}
			s.reach(from)
		}
		first := none
		for i := range s.cursors {
			c := &s.cursors[i]
			if c.hit < from {
				c.hit = s.seek(c, from)
			}
			first = min(first, c.hit)
		}
		if first != none {
			return first, nil
		}
		from = s.limit
	}
}

// seek returns where c's needle is in [from,limit).
func (s *spotter) seek(c *cursor, from int) int {
	if !c.line {
		return s.find(c, from, s.limit)
	}
	if from == 0 {
		if c.at(s.b, -1) {
			return 0
		}
		from = 1
	}
	if hit := s.find(c, from-1, s.limit-1); hit != none {
		return hit + 1
	}
	return none
}

// find returns the first place in [from,limit) where the needle's text is.
func (s *spotter) find(c *cursor, from, limit int) int {
	if from >= limit {
		return none
	}
	if !c.fold {
		if i := c.exact.IndexBytes(s.b[:min(limit+len(c.text)-1, len(s.b))], from); i >= 0 {
			return i
		}
		return none
	}
	rare := c.text[c.rare]
	for ; from < limit; from++ {
		c.lower = s.seekByte(c.lower, rare, from+c.rare, limit+c.rare)
		c.upper = s.seekByte(c.upper, upperASCII(rare), from+c.rare, limit+c.rare)
		hit := min(c.lower, c.upper)
		if hit == none {
			return none
		}
		if from = hit - c.rare; c.at(s.b, from) {
			return from
		}
	}
	return none
}

// seekByte returns the first place of c in [from,limit), given the one that
// was found before.
func (s *spotter) seekByte(known int, c byte, from, limit int) int {
	if known >= from {
		return known
	}
	if from < len(s.b) {
		if i := bytes.IndexByte(s.b[from:min(limit, len(s.b))], c); i >= 0 {
			return from + i
		}
	}
	return none
}

// at reports whether the needle is at i of b; at -1, of its line end the rest.
func (n *needle) at(b []byte, i int) bool {
	text := n.text
	if i < 0 {
		text, i = text[-i:], 0
	}
	if len(b)-i < len(text) {
		return false
	}
	for k, c := range text {
		if have := b[i+k]; have != c && (!n.fold || lower(have) != c) {
			return false
		}
	}
	return true
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}
