package syntax

import (
	"slices"
	"unsafe"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// A text that goes through a preprocessor is gone through again after each
// change, but only from the last stop before what changed to the first one
// behind it where the same is known as before.

// wayThrough is what is known of a text that a masker went through.
type wayThrough struct {
	spans []maskedSpan // in the order in which they were found
	stops []stop       // in order
	types typesAbove
}

// stop is a place from which a masker can go on.
type stop struct {
	at, read     text.Offset // read: what is known depends on the text up to there
	spans, types int         // how many had been found
	maskState
}

const (
	// stopEvery is how far stops are apart, in bytes, and maxHeld what may be
	// open around one: directives and blocks, all of which are copied.
	stopEvery = 4 << 10
	maxHeld   = 64
)

// mask goes through src and makes stops so many bytes apart. What is known of
// an earlier text is used, which may be nil; c is all that changed since.
func (f family) mask(src []byte, was *wayThrough, c change, every int) *wayThrough {
	r := resumed{masker: masker{src: src, family: f}, now: &wayThrough{}, was: was, changed: c, every: every}
	i := r.resume()
	for due := r.due(i); i < len(src); i = r.token(i) {
		if i < due || i == 0 || src[i-1] > ' ' { // tokens look back no further
			continue
		}
		if r.rejoin(i) {
			return r.now
		}
		r.stop(i)
		due = r.due(i)
	}
	r.now.spans, r.now.types = r.out, r.types.snapshot()
	return r.now
}

// resumed is a masker with what an earlier one knew.
type resumed struct {
	masker
	now, was *wayThrough
	changed  change
	every    int
	ahead    []stop // those of the earlier text that may be met
}

// resume takes up the earlier work and returns where to go on.
func (r *resumed) resume() text.Offset {
	if r.was == nil {
		return 0
	}
	start := r.changed.old.Start
	n := 0
	for n < len(r.was.stops) && r.was.stops[n].at <= start && r.was.stops[n].read <= start {
		n++
	}
	for r.ahead = r.was.stops[n:]; len(r.ahead) > 0 && r.ahead[0].at <= r.changed.old.End; {
		r.ahead = r.ahead[1:]
	}
	r.types = r.was.types.first(0)
	if n == 0 {
		return 0
	}
	at := &r.was.stops[n-1]
	r.now.stops = slices.Clone(r.was.stops[:n])
	r.out = slices.Clone(r.was.spans[:at.spans])
	r.types, r.maskState, r.read = r.was.types.first(at.types), at.maskState.clone(), at.read
	return at.at
}

// due returns where to stop next: at a stop of the earlier text, or where one
// is missing.
func (r *resumed) due(i text.Offset) text.Offset {
	next := i + r.every
	for len(r.ahead) > 0 && r.ahead[0].at+r.changed.by() <= i {
		r.ahead = r.ahead[1:]
	}
	if len(r.ahead) > 0 {
		next = min(next, r.ahead[0].at+r.changed.by())
	}
	return next
}

// stop makes a stop at i, if there is not too much around it.
func (r *resumed) stop(i text.Offset) {
	last := 0
	if n := len(r.now.stops); n > 0 {
		last = r.now.stops[n-1].at
	}
	if i-last >= r.every/2 && r.open() <= maxHeld {
		r.now.stops = append(r.now.stops, stop{i, r.read, len(r.out), len(r.types.names), r.maskState.clone()})
	}
}

// rejoin takes over the rest of what was known of the earlier text, if the
// same is known at i as there, and all that a token looks back to is behind
// what changed.
func (r *resumed) rejoin(i text.Offset) bool {
	by := r.changed.by()
	if len(r.ahead) == 0 || r.ahead[0].at+by != i || r.ahead[0].words[0].Start <= r.changed.old.End {
		return false
	}
	met := &r.ahead[0]
	then, ok := met.moved(r.changed)
	if !ok || !then.equal(&r.maskState) || !r.sameTypes(met) {
		return false
	}
	more := len(r.out) - met.spans
	r.now.types = r.was.types
	for _, b := range r.was.spans[met.spans:] {
		b.Span, _ = r.changed.moved(b.Span)
		r.out = append(r.out, b)
	}
	r.now.spans = r.out
	for _, s := range r.ahead {
		if s.maskState, ok = s.moved(r.changed); !ok {
			continue
		}
		s.at, s.read, s.spans = s.at+by, max(s.read+by, r.read), s.spans+more
		r.now.stops = append(r.now.stops, s)
	}
	return true
}

// sameTypes tells that the same types are defined above as above a stop of the
// earlier text.
func (r *resumed) sameTypes(then *stop) bool {
	old := r.types.old
	return slices.Equal(r.types.names[old:], r.was.types.names[old:then.types])
}

// moved returns where a place is now; ok is false if it is in what changed.
func (c *change) moved(s text.Span) (text.Span, bool) {
	ok := true
	for _, at := range []*text.Offset{&s.Start, &s.End} {
		switch {
		case *at > c.old.End:
			*at += c.by()
		case *at >= c.old.Start:
			ok = false
		}
	}
	return s, ok
}

// open returns how much is open.
func (h *maskState) open() int {
	n := len(h.unshown) + len(h.groups)
	for i := range h.groups {
		n += len(h.groups[i].lines)
	}
	return n
}

func (h *maskState) clone() maskState {
	own := *h
	own.unshown, own.groups = slices.Clone(h.unshown), slices.Clone(h.groups)
	for i := range own.groups {
		own.groups[i].lines = slices.Clone(own.groups[i].lines)
	}
	return own
}

// moved returns a copy with all places where they are now; ok is false if one
// is in what changed. Words count if they are behind that.
func (h *maskState) moved(c change) (now maskState, ok bool) {
	now = h.clone()
	for i := range now.words {
		if w := &now.words[i]; w.End > 0 {
			w.End += c.by()
		}
		now.words[i].Start += c.by()
	}
	for _, g := range now.groups {
		for i := range g.lines {
			if g.lines[i], ok = c.moved(g.lines[i]); !ok {
				return now, false
			}
		}
	}
	return now, true
}

func (h *maskState) equal(o *maskState) bool {
	return h.prev == o.prev && h.paren == o.paren && h.value == o.value && h.enumerates == o.enumerates && h.enum == o.enum &&
		h.words == o.words && slices.Equal(h.unshown, o.unshown) && slices.EqualFunc(h.groups, o.groups, branches.equal)
}

func (b branches) equal(o branches) bool {
	return b.branch == o.branch && b.kept == o.kept && b.prev == o.prev && b.broken == o.broken && b.never == o.never &&
		slices.Equal(b.lines, o.lines)
}

// weight returns about how many bytes of memory h takes.
func (h *wayThrough) weight() int {
	if h == nil {
		return 0
	}
	const name = 50 // and its place in a map
	return len(h.spans)*int(unsafe.Sizeof(maskedSpan{})) + len(h.stops)*int(unsafe.Sizeof(stop{})) + len(h.types.names)*name
}
