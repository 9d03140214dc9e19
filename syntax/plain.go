package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// blanks returns what the grammar is not shown of src, in order.
func (l *Language) blanks(src []byte) []blank {
	if l.plain == nil {
		return nil
	}
	blanks := l.plain(src)
	slices.SortFunc(blanks, blank.compare)
	return slices.Compact(blanks)
}

func (b blank) compare(other blank) int {
	return cmp.Or(cmp.Compare(b.Start, other.Start), cmp.Compare(b.End, other.End), cmp.Compare(b.with, other.with))
}

// blankOut returns src without the blanks, which are in order and may overlap.
// Line ends stay, and so do all offsets.
func blankOut(src []byte, blanks []blank) []byte {
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
func leads(places []recastPlace, blanks []blank) []recastPlace {
	for _, b := range blanks {
		if b.lead {
			places = append(places, recastPlace{Span: b.Span})
		}
	}
	return places
}

// stale stands in a blank that an edit has touched: it is unlike any other.
const stale = "?"

// carried returns where blanks are after changes.
func carried(blanks []blank, changes []text.Change) []blank {
	moved := make([]blank, len(blanks))
	next, by := 0, 0 // the first change that ends behind the place, and how far that has moved
	for i, b := range blanks {
		for next < len(changes) && changes[next].Old.End < b.Start {
			by = changes[next].New.End - changes[next].Old.End
			next++
		}
		m, last := by, next
		for ; last < len(changes) && changes[last].Old.Start <= b.End; last++ {
			m = changes[last].New.End - changes[last].Old.End
		}
		moved[i] = blank{Span: text.Span{Start: b.Start + by, End: b.End + m}, lead: b.lead, with: b.with}
		if last > next {
			moved[i] = blank{Span: text.Span{Start: min(b.Start+by, changes[next].New.Start), End: max(b.End+m, changes[last-1].New.End)}, with: stale}
		}
	}
	return moved
}

// differing returns the places where one list has a blank that the other does
// not have. Both are in order.
func differing(before, after []blank) []text.Span {
	var places []text.Span
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].compare(after[0]) < 0:
			places = append(places, before[0].Span)
			before = before[1:]
		case len(before) == 0 || before[0].compare(after[0]) > 0:
			places = append(places, after[0].Span)
			after = after[1:]
		default:
			before, after = before[1:], after[1:]
		}
	}
	return places
}
