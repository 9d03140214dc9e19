package syntax

import (
	"bytes"
	"cmp"
	"slices"
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
