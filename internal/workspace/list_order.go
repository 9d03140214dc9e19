package workspace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// sortEntries returns the entries in a new slice, in order: directories first,
// then by their names as [CompareNatural] has it. The names are brought once
// into a form in which that is the order of the bytes, because comparing
// naturally is dear and sorting compares often.
func sortEntries(entries []Entry) []Entry {
	type place struct {
		head       uint64 // the key's first eight bytes behind what all keys begin with
		start, end int    // of the key
		index      int
	}
	places := make([]place, len(entries))
	var keys []byte
	shared := 0
	for i := range entries {
		start := len(keys)
		keys = appendNaturalKey(keys, &entries[i])
		places[i] = place{start: start, end: len(keys), index: i}
		if i == 0 {
			keys = slices.Grow(keys, len(entries)*(len(keys)+8))
			shared = len(keys)
		}
		shared = sharedPrefix(keys[:places[0].end], keys[start:], shared)
	}
	for i := range places {
		p := &places[i]
		p.start += shared
		var head [8]byte
		copy(head[:], keys[p.start:p.end])
		p.head = binary.BigEndian.Uint64(head[:])
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return cmp.Or(bytes.Compare(keys[a.start:a.end], keys[b.start:b.end]), cmp.Compare(entries[a.index].Name, entries[b.index].Name))
	})
	sorted := make([]Entry, len(entries))
	for i, p := range places {
		sorted[i] = entries[p.index]
	}
	return sorted
}

// sharedPrefix returns how many bytes a and b have in common at their front,
// up to most.
func sharedPrefix(a, b []byte, most int) int {
	most = min(most, len(a), len(b))
	for i := range most {
		if a[i] != b[i] {
			return i
		}
	}
	return most
}

// appendNaturalKey appends bytes in whose order entries stand, but for ties:
// names that differ in case or in leading zeros alone have one key.
//
// A number becomes a zero digit, by which it stands among other letters as its
// own digits would, the count of its digits, and these.
func appendNaturalKey(dst []byte, e *Entry) []byte {
	folder := byte(1)
	if e.Type == Directory {
		folder = 0
	}
	dst = append(dst, folder)
	for s := e.Name; s != ""; {
		if isDigit(s[0]) {
			var number string
			number, s = cutNumber(s)
			dst = binary.BigEndian.AppendUint16(append(dst, '0'), uint16(len(number))) // names have 255 bytes at most, or few more
			dst = append(dst, number...)
			continue
		}
		r, size := foldedRune(s)
		s = s[size:]
		if r > utf8.MaxRune { // a byte that is no UTF-8: after all that is
			dst = append(dst, 0xff, byte(r))
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}
