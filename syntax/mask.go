package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// maskedSpans returns what the grammar is not shown of src, in order, and what is
// known of it for the next text. was is known of an earlier one, which may be
// nil; edits have happened since.
func (l *Language) maskedSpans(src []byte, was *wayThrough, edits []text.Change) ([]maskedSpan, *wayThrough) {
	if l.family == familyNone {
		return nil, nil
	}
	now := was
	if was == nil || len(edits) > 0 {
		now = l.family.mask(src, was, around(edits), stopEvery)
	}
	blanks := slices.Clone(now.spans)
	slices.SortFunc(blanks, maskedSpan.compare)
	return slices.Compact(blanks), now
}

// around returns the part that holds all edits, and the byte before: whether a
// CR ends a line is told by what follows.
func around(edits []text.Change) change {
	if len(edits) == 0 {
		return change{}
	}
	first, last := edits[0], edits[len(edits)-1]
	c := change{text.Span{Start: first.Old.Start, End: last.Old.End}, text.Span{Start: first.New.Start, End: last.New.End}}
	if c.old.Start > 0 {
		c.old.Start--
		c.new.Start--
	}
	return c
}

func (b maskedSpan) compare(other maskedSpan) int {
	return cmp.Or(cmp.Compare(b.Start, other.Start), cmp.Compare(b.End, other.End), cmp.Compare(b.with, other.with))
}

// maskOut returns src without the blanks, which are in order and may overlap.
// Line ends stay, and so do all offsets.
func maskOut(src []byte, blanks []maskedSpan) []byte {
	if len(blanks) == 0 {
		return src
	}
	shown, done := bytes.Clone(src), 0
	for _, b := range blanks {
		if b.End <= done {
			continue // within an earlier one
		}
		part := shown[max(b.Start, done):b.End]
		for i, c := range part {
			if !isLineEnd(c) {
				part[i] = ' '
			}
		}
		copy(part, b.with)
		done = b.End
	}
	return shown
}

// leads adds to the places where the grammar was shown something else those
// that begin a definition.
func leads(places []rewrittenPlace, blanks []maskedSpan) []rewrittenPlace {
	for _, b := range blanks {
		if b.lead {
			places = append(places, rewrittenPlace{Span: b.Span})
		}
	}
	return places
}
