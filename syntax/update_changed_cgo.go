//go:build cgo

package syntax

/*
#include "walk.h"
*/
import "C"

import "github.com/agent-lsp/agent-lsp/internal/text"

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
func (c *change) widen(was, now []rewrittenPlace) {
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

func (p rewrittenPlace) moved(by int) rewrittenPlace {
	p.Span = moved(p.Span, by)
	if p.name.Len() > 0 {
		p.name = moved(p.name, by)
	}
	return p
}
