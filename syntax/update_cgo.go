//go:build cgo

package syntax

/*
#include "walk.h"
*/
import "C"

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// known is what a tree tells of its text for the next one.
type known struct {
	text        text.Text
	definitions []Definition
	words       []rewrittenPlace
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
		if r.Rest || r.Ranked || r.Embed != nil {
			return false
		}
	}
	return l.lines == nil && l.frame == (Frame{})
}

// updateFrom makes the definitions of a text out of those of the one before: only
// the siblings around what changed are made anew, and one on each side of them,
// which may take a comment that stands between. One more on each side is looked
// at, so that those have neighbours. All others are kept. It gives up where the
// parts do not fit together.
func (t *Tree) updateFrom(ctx context.Context, src []byte, before *Tree) (Result, bool) {
	was, now := before.rawRecords(), t.rawRecords()
	s := updater{tree: t, src: src, old: before.known.definitions, records: now, words: t.masked.words}
	s.changed = differing(was, now, *before.changed)
	s.changed.widen(before.known.words, t.masked.words)
	for s.descend(); ; s.chain = s.chain[:len(s.chain)-1] {
		if r, ok := s.onLevel(ctx); ok {
			r.Reused.Since = before.known.text
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

// updater is the work on one text. Places before what changed are the same in
// both texts.
type updater struct {
	tree    *Tree
	src     []byte
	old     []Definition // of the text before
	records []C.walk_record
	words   []rewrittenPlace
	changed change
	chain   []int // the definitions around what changed, in old, outermost first
}

// descend finds the definitions around what changed.
func (s *updater) descend() {
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
func (s *updater) isAround(d *Definition) bool {
	start := s.changed.old.Start
	if s.tree.language.flat && d.Kind.IsFunction() {
		return false // what it holds may end it
	}
	return max(d.Head, d.Body, d.NameSpan.End) < start && s.changed.old.End < d.Span.End
}

// eachSibling gives the definitions directly within the innermost one around
// what changed.
func (s *updater) eachSibling(yield func(i int)) {
	depth := len(s.chain)
	for i := s.parent() + 1; i < len(s.old) && s.old[i].Depth >= depth; i++ {
		if s.old[i].Depth == depth {
			yield(i)
		}
	}
}

// parent returns the innermost definition around what changed, or -1.
func (s *updater) parent() int {
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
func (s *updater) onLevel(ctx context.Context) (Result, bool) {
	p := s.part()
	r := fromRecords(ctx, s.tree.language, s.src, s.within(p.seen), placesIn(s.words, p.seen))
	from, to, ok := s.fitting(r.Definitions, p)
	if !ok {
		return r, false
	}
	made, tail := r.Definitions[from:to], s.old[p.last:]
	r.Reused = Reused{Head: p.first, Tail: len(tail), By: s.changed.by(), Around: s.chain}
	for i := range made {
		if made[i].Depth == len(s.chain) {
			made[i].Parent = s.parent()
		} else {
			made[i].Parent += p.first - from
		}
	}
	r.Definitions = s.joined(p, made)
	return r, true
}

// joined returns the old definitions with made in the place of a part.
func (s *updater) joined(p part, made []Definition) []Definition {
	by, more := s.changed.by(), len(made)-(p.last-p.first)
	all := make([]Definition, 0, len(s.old)+more)
	all = append(append(all, s.old[:p.first]...), made...)
	for _, i := range s.chain {
		all[i].Span.End += by
	}
	for _, d := range s.old[p.last:] {
		if d = d.moved(by); d.Parent >= p.last {
			d.Parent += more
		}
		all = append(all, d)
	}
	return all
}

// part chooses what to make anew.
func (s *updater) part() part {
	p := part{first: s.parent() + 1, seen: text.Span{End: len(s.src) + 1}}
	if parent := s.parent(); parent >= 0 {
		d := &s.old[parent]
		p.seen = text.Span{Start: d.Head, End: d.Span.End + s.changed.by()}
	}
	for p.last = p.first; p.last < len(s.old) && s.old[p.last].Depth >= len(s.chain); {
		p.last++
	}
	p.span = p.seen
	above, below := s.cuts()
	if len(above) > 0 {
		p.first, p.span.Start = above[0], s.old[above[0]].Span.Start
	}
	if len(above) > 1 {
		p.seen.Start = s.old[above[1]].Span.Start
	}
	if len(below) > 1 {
		p.last, p.span.End = below[1], s.old[below[1]].Span.Start+s.changed.by()
	}
	if len(below) > 2 {
		p.seen.End = s.old[below[2]].Span.Start + s.changed.by()
	}
	return p
}

// cuts returns the siblings in front of which the text can be divided: the
// nearest two above what changed and the nearest three below it.
func (s *updater) cuts() (above, below []int) {
	var before []int
	s.eachSibling(func(i int) {
		switch d := &s.old[i]; {
		case d.Span.End < s.changed.old.Start:
			before = append(before, i)
		case d.Span.Start > s.changed.old.End && len(below) < 3 && s.isCut(i, d.Span.Start+s.changed.by()):
			below = append(below, i)
		}
	})
	for _, i := range slices.Backward(before) {
		if len(above) < 2 && s.isCut(i, s.old[i].Span.Start) {
			above = append(above, i)
		}
	}
	return above, below
}

// isCut tells that a text can be divided in front of definition i, which is at
// a place of the new text: it begins a line, and nothing reaches over it.
func (s *updater) isCut(i int, at text.Offset) bool {
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
func (s *updater) endBefore(i int) text.Offset {
	before := i - 1
	for s.old[before].Depth > s.old[i].Depth {
		before = s.old[before].Parent
	}
	return s.old[before].Span.End
}

// surrounds tells that what changed is inside of n, a place of the new text.
func (s *updater) surrounds(n text.Span) bool {
	return n.Start < s.changed.new.Start && s.changed.new.End < n.End
}

// within returns the records in a part of the text, those around what changed,
// and what could not be parsed in the part's lines.
func (s *updater) within(in text.Span) []record {
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

func placesIn(words []rewrittenPlace, in text.Span) []rewrittenPlace {
	var found []rewrittenPlace
	for _, p := range words {
		if in.Start <= p.Start && p.End <= in.End {
			found = append(found, p)
		}
	}
	return found
}

// fitting returns which of the definitions that were found go in the place of
// those that are made anew. It reports whether the others are as they were.
func (s *updater) fitting(found []Definition, p part) (from, to int, ok bool) {
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
