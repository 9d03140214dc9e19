package catalog

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
	keys, ends, shared := naturalKeys(entries)
	key := func(index int) []byte {
		start := 0
		if index > 0 {
			start = ends[index-1]
		}
		return keys[start+shared : ends[index]]
	}
	seats := make([]seat, len(entries))
	for i := range seats {
		var head [8]byte
		copy(head[:], key(i))
		seats[i] = seat{binary.BigEndian.Uint64(head[:]), i}
	}
	seats = sortByHead(seats)
	for rest := seats; len(rest) > 0; {
		same := 1
		for same < len(rest) && rest[same].head == rest[0].head {
			same++
		}
		slices.SortFunc(rest[:same], func(a, b seat) int {
			return cmp.Or(bytes.Compare(key(a.index), key(b.index)), cmp.Compare(entries[a.index].Name, entries[b.index].Name))
		})
		rest = rest[same:]
	}
	sorted := make([]Entry, len(entries))
	for i, p := range seats {
		sorted[i] = entries[p.index]
	}
	return sorted
}

// seat is where an entry was.
type seat struct {
	head  uint64 // the key's first eight bytes behind what all keys begin with
	index int
}

// naturalKeys returns the keys of entries one behind the other, where each
// ends, and how many bytes all of them begin with.
func naturalKeys(entries []Entry) (keys []byte, ends []int, shared int) {
	ends = make([]int, len(entries))
	for i := range entries {
		start := len(keys)
		keys = appendNaturalKey(keys, &entries[i])
		ends[i] = len(keys)
		if i == 0 {
			keys = slices.Grow(keys, len(entries)*(len(keys)+8))
			shared = len(keys)
		}
		shared = sharedPrefix(keys[:ends[0]], keys[start:], shared)
	}
	return keys, ends, shared
}

// sortByHead returns the seats sorted by their heads, in p or another slice.
// It goes by one byte of all after the other, the last first, which is several
// times faster than comparing; names often differ in few bytes.
func sortByHead(p []seat) []seat {
	if len(p) < 2 {
		return p
	}
	spare := make([]seat, len(p))
	for shift := 0; shift < 64; shift += 8 {
		var next [256]int
		for i := range p {
			next[byte(p[i].head>>shift)]++
		}
		if next[byte(p[0].head>>shift)] == len(p) {
			continue
		}
		at := 0
		for b, n := range next {
			next[b], at = at, at+n
		}
		for _, e := range p {
			to := &next[byte(e.head>>shift)]
			spare[*to] = e
			*to++
		}
		p, spare = spare, p
	}
	return p
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
