//go:build cgo

package syntax

/*
#include "walk.h"
*/
import "C"

import (
	"context"
	"math"
	"unsafe"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// known is what a tree tells of its text for the next one.
type known struct {
	text        text.Text
	definitions []Definition
	words       []recastPlace
}

// weight returns about how many bytes of memory k takes beyond the text.
func (k *known) weight() int {
	if k == nil {
		return 0
	}
	return len(k.definitions) * int(unsafe.Sizeof(Definition{}))
}

// isLocal tells that what a definition becomes is told by what is around it and
// by its neighbours, and never by what stands far below.
func isLocal(l *Language) bool {
	for _, r := range l.rules {
		if r.Rest || r.Ranked || r.Reach != nil || r.Embed != nil {
			return false
		}
	}
	return l.lines == nil && l.frame == (Frame{})
}

// splice makes the definitions of a text out of those of the one before: only
// the siblings around what changed are made anew, and one on each side of them,
// which may take a comment that stands between. One more on each side is looked
// at, so that those have neighbours. All others are kept. It gives up where the
// parts do not fit together.
func (t *Tree) splice(ctx context.Context, src []byte, before *Tree) (Result, bool) {
	was, now := before.rawRecords(), t.rawRecords()
	s := splice{tree: t, src: src, old: before.known.definitions, records: now, words: t.view.words}
	s.changed = differing(was, now, *before.changed)
	s.changed.widen(before.known.words, t.view.words)
	for s.descend(); ; s.chain = s.chain[:len(s.chain)-1] {
		if r, ok := s.onLevel(ctx); ok {
			r.Kept.Since = before.known.text
			return r, true
		}
		if len(s.chain) == 0 {
			return Result{}, false
		}
	}
}

func (t *Tree) rawRecords() []C.walk_record {
	return unsafe.Slice(t.walked.records, int(t.walked.nrecords))
}

// splice is the work on one text. Places before what changed are the same in
// both texts.
type splice struct {
	tree    *Tree
	src     []byte
	old     []Definition // of the text before
	records []C.walk_record
	words   []recastPlace
	changed change
	chain   []int // the definitions around what changed, in old, outermost first
}

// differing widens what changed over the records that are not the same in both
// texts.
func differing(was, now []C.walk_record, c change) change {
	first, by := 0, c.by()
	for first < min(len(was), len(now)) && c.isSame(&was[first], &now[first]) {
		first++
	}
	n, m := len(was), len(now)
	for n > first && m > first && int(was[n-1].node.start) > c.old.End && movedRecord(was[n-1], by) == now[m-1] {
		n, m = n-1, m-1
	}
	for i := range was[first:n] {
		c.include(spanOf(was[first+i].node), 0)
	}
	for i := range now[first:m] {
		c.include(spanOf(now[first+i].node), by)
	}
	return c
}

// by returns how far what follows has moved down.
func (c *change) by() int { return c.new.End - c.old.End }

// include widens the change to s, which has moved by bytes if it stands below.
func (c *change) include(s text.Span, by int) {
	start, end := min(c.old.Start, s.Start), max(c.old.End, s.End-by)
	c.old, c.new = text.Span{Start: start, End: end}, text.Span{Start: start, End: end + c.by()}
}

// isSame tells that two records are the same: before what changed, or around it
// with all that they tell of before it.
func (c *change) isSame(was, now *C.walk_record) bool {
	if int(was.node.end) < c.old.Start {
		return *was == *now
	}
	told := max(was.name.end, was.scope.end, was.inner.end, was.callee.end, was.body)
	if int(was.node.start) >= c.old.Start || int(was.node.end) <= c.old.End || int(told) >= c.old.Start || was.flags&C.RECORD_ERROR != 0 {
		return false
	}
	same := *was
	same.node.end += C.uint32_t(c.by())
	return same == *now
}

// movedRecord returns r as it is by bytes further down.
func movedRecord(r C.walk_record, by int) C.walk_record {
	for _, s := range []*C.walk_span{&r.node, &r.name, &r.scope, &r.inner, &r.callee} {
		if s.end > 0 {
			s.start, s.end = s.start+C.uint32_t(by), s.end+C.uint32_t(by)
		}
	}
	if r.body > 0 {
		r.body += C.uint32_t(by)
	}
	return r
}

// widen widens the change over the places that were shown otherwise in one of
// the texts and not in the other.
func (c *change) widen(was, now []recastPlace) {
	first, by := 0, c.by()
	for first < min(len(was), len(now)) && was[first] == now[first] && was[first].End < c.old.Start {
		first++
	}
	n, m := len(was), len(now)
	for n > first && m > first && was[n-1].Start > c.old.End && was[n-1].moved(by) == now[m-1] {
		n, m = n-1, m-1
	}
	for _, p := range was[first:n] {
		c.include(p.Span, 0)
	}
	for _, p := range now[first:m] {
		c.include(p.Span, by)
	}
}

func (p recastPlace) moved(by int) recastPlace {
	p.Span = moved(p.Span, by)
	if p.name.Len() > 0 {
		p.name = moved(p.name, by)
	}
	return p
}

// descend finds the definitions around what changed.
func (s *splice) descend() {
	for {
		touched := 0
		var only int
		s.eachSibling(func(i int) {
			if d := &s.old[i]; d.Span.Start <= s.changed.old.End && d.Span.End >= s.changed.old.Start {
				touched, only = touched+1, i
			}
		})
		if touched != 1 || !s.isAround(&s.old[only]) {
			return
		}
		s.chain = append(s.chain, only)
	}
}

// isAround tells that a change is inside of d, past all that d is known by.
func (s *splice) isAround(d *Definition) bool {
	start := s.changed.old.Start
	if s.tree.language.flat && d.Kind.IsFunction() {
		return false // what it holds may end it
	}
	return max(d.Head, d.Body, d.NameSpan.End) < start && s.changed.old.End < d.Span.End
}

// eachSibling gives the definitions directly within the innermost one around
// what changed.
func (s *splice) eachSibling(yield func(i int)) {
	depth := len(s.chain)
	for i := s.inner(); i < len(s.old) && s.old[i].Depth >= depth; i++ {
		if s.old[i].Depth == depth {
			yield(i)
		}
	}
}

// inner returns the index of the first sibling, if there is one.
func (s *splice) inner() int { return s.parent() + 1 }

// parent returns the innermost definition around what changed, or -1.
func (s *splice) parent() int {
	if n := len(s.chain); n > 0 {
		return s.chain[n-1]
	}
	return -1
}

// part is what is made anew: all between two definitions of the old text.
type part struct {
	// The definitions from first on, up to last, are made anew.
	first, last int
	// What is made anew lies at span of the new text; what is looked at, at
	// seen.
	span, seen text.Span
}

// onLevel makes the definitions, with those anew that are directly within the
// innermost definition of the chain.
func (s *splice) onLevel(ctx context.Context) (Result, bool) {
	p := s.part()
	r := fromRecords(ctx, s.tree.language, s.src, s.within(p.seen), placesIn(s.words, p.seen))
	from, to, ok := s.fitting(r.Definitions, p)
	if !ok {
		return r, false
	}
	by := s.changed.by()
	made, tail := r.Definitions[from:to], s.old[p.last:]
	shift := p.first + len(made) - p.last // of the indexes of the tail
	all := make([]Definition, 0, p.first+len(made)+len(tail))
	all = append(all, s.old[:p.first]...)
	for _, i := range s.chain {
		all[i].Span.End += by
	}
	for _, d := range made {
		if d.Depth == len(s.chain) {
			d.Parent = s.parent()
		} else {
			d.Parent += p.first - from
		}
		all = append(all, d)
	}
	for _, d := range tail {
		if d = d.moved(by); d.Parent >= p.last {
			d.Parent += shift
		}
		all = append(all, d)
	}
	r.Definitions, r.Kept = all, Kept{Head: p.first, Tail: len(tail), By: by, Around: s.chain}
	return r, true
}

// part chooses what to make anew.
func (s *splice) part() part {
	var above, below []int
	end := s.inner()
	s.eachSibling(func(i int) {
		switch d := &s.old[i]; {
		case d.Span.End < s.changed.old.Start:
			above = append(above, i)
		case d.Span.Start > s.changed.old.End:
			below = append(below, i)
		}
	})
	for end < len(s.old) && s.old[end].Depth >= len(s.chain) {
		end++
	}
	p := part{first: s.inner(), last: end, seen: text.Span{End: len(s.src) + 1}}
	if parent := s.parent(); parent >= 0 {
		d := &s.old[parent]
		p.seen = text.Span{Start: d.Head, End: d.Span.End + s.changed.by()}
	}
	p.span = p.seen
	for cuts := 0; len(above) > 0 && cuts < 2; above = above[:len(above)-1] {
		i := above[len(above)-1]
		at := s.old[i].Span.Start
		if !s.isCut(i, at) {
			continue
		}
		if cuts++; cuts == 1 {
			p.first, p.span.Start = i, at
		} else {
			p.seen.Start = at
		}
	}
	for cuts := 0; len(below) > 0 && cuts < 3; below = below[1:] {
		at := s.old[below[0]].Span.Start + s.changed.by()
		if !s.isCut(below[0], at) {
			continue
		}
		switch cuts++; cuts {
		case 2:
			p.last, p.span.End = below[0], at
		case 3:
			p.seen.End = at
		}
	}
	return p
}

// isCut tells that a text can be divided in front of definition i, which is at
// a place of the new text: it begins a line, and nothing reaches over it.
func (s *splice) isCut(i int, at text.Offset) bool {
	if margin(s.src, at) == math.MaxInt {
		return false
	}
	if i > 0 && s.old[i-1].Depth >= s.old[i].Depth && s.endBefore(i) > s.old[i].Span.Start {
		return false
	}
	for j := range s.records {
		if n := spanOf(s.records[j].node); n.Start < at && at < n.End && !s.surrounds(n) {
			return false
		}
	}
	return true
}

// endBefore returns the end of the sibling before definition i.
func (s *splice) endBefore(i int) text.Offset {
	before := i - 1
	for s.old[before].Depth > s.old[i].Depth {
		before = s.old[before].Parent
	}
	return s.old[before].Span.End
}

// surrounds tells that what changed is inside of n, a place of the new text.
func (s *splice) surrounds(n text.Span) bool {
	return n.Start < s.changed.new.Start && s.changed.new.End < n.End
}

// within returns the records in a part of the text, those around what changed,
// and what could not be parsed in the part's lines.
func (s *splice) within(in text.Span) []record {
	var found []C.walk_record
	for i := range s.records {
		r, n := &s.records[i], spanOf(s.records[i].node)
		inside := in.Start <= n.Start && n.Start < in.End
		if r.flags&C.RECORD_ERROR != 0 {
			lines := wholeLines(s.src, n)
			inside = lines.Start < in.End && in.Start <= lines.End
		}
		if inside || s.surrounds(n) {
			found = append(found, *r)
		}
	}
	return grammars[s.tree.language.Name]().records(found)
}

func placesIn(words []recastPlace, in text.Span) []recastPlace {
	var found []recastPlace
	for _, p := range words {
		if in.Start <= p.Start && p.End <= in.End {
			found = append(found, p)
		}
	}
	return found
}

// fitting returns which of the definitions that were found go in the place of
// those that are made anew. It tells whether the others are as they were.
func (s *splice) fitting(found []Definition, p part) (from, to int, ok bool) {
	around, by := 0, s.changed.by()
	from, to = len(found), len(found)
	for i := range found {
		d := &found[i]
		if d.Depth < len(s.chain) {
			old := &s.old[s.chain[d.Depth]]
			if d.Depth != around || d.Name != old.Name || d.Kind != old.Kind || d.Container != old.Container ||
				d.NameSpan != old.NameSpan || d.Span.End != old.Span.End+by {
				return 0, 0, false
			}
			around++
			continue
		}
		switch {
		case p.span.Start > p.seen.Start && d.Span.Start < p.span.Start:
			if d.Span.End > p.span.Start {
				return 0, 0, false
			}
			continue
		case p.span.End < p.seen.End && d.Span.Start >= p.span.End:
			to = min(to, i)
			continue
		case d.Span.End > p.span.End:
			return 0, 0, false
		}
		from = min(from, i)
	}
	return min(from, to), to, around == len(s.chain)
}
