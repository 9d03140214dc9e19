package text

import (
	"math/bits"
	"strings"
)

// summarize counts s.
func summarize(s string) summary {
	if s == "" {
		return summary{}
	}
	chars, astral := countChars(s)
	sum := summary{
		bytes: uint32(len(s)),
		chars: uint32(chars),
		utf16: uint32(chars + astral),
		pairs: edgesOf(s),
	}
	sum.lf = uint32(strings.Count(s, "\n"))
	sum.cr = uint32(strings.Count(s, "\r"))
	sum.pairs += pairs(strings.Count(s, "\r\n")) * onePair
	return sum
}

// edgesOf returns the edges of s, and no pairs.
func edgesOf(s string) pairs {
	var e pairs
	if s == "" {
		return e
	}
	if s[0] == '\n' {
		e |= startsLF
	}
	switch s[len(s)-1] {
	case '\n':
		e |= endsLF
	case '\r':
		e |= endsCR
	}
	return e
}

// topBits has the top bit of each of a word's eight bytes.
const topBits = 0x8080808080808080

// wordAt returns the eight bytes of s from i on, in no particular order.
func wordAt(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// continuations has a top bit for each byte of w that continues a character
// (10xxxxxx). The shifted-in bits come from the byte itself: only its lower
// bits move up.
func continuations(w uint64) uint64 { return w &^ (w << 1) & topBits }

// fourByteLeads has a top bit for each byte of w that begins a character of
// four bytes (1111xxxx), which is the kind that takes two UTF-16 units.
func fourByteLeads(w uint64) uint64 { return w & (w << 1) & (w << 2) & (w << 3) & topBits }

// lineFeeds has a top bit for each byte of w that is an LF.
func lineFeeds(w uint64) uint64 {
	w ^= 0x0A0A0A0A0A0A0A0A // now 0 where an LF was
	carry := w&^topBits + ^uint64(topBits)
	return ^(carry | w) & topBits
}

// skipLFs returns the offset after the n-th LF of s, which has that many.
func skipLFs(s string, n int) Offset {
	i := 0
	for range len(s) / 8 {
		found := bits.OnesCount64(lineFeeds(wordAt(s, i)))
		if found >= n {
			break
		}
		n -= found
		i += 8
	}
	for ; n > 0; i++ {
		if s[i] == '\n' {
			n--
		}
	}
	return i
}

// countChars returns the number of characters that begin in s, and how many
// of them take two UTF-16 units. It goes by bytes, so that counts of parts
// add up wherever s is cut.
func countChars(s string) (chars, astral int) {
	chars = len(s)
	for i := range len(s) / 8 {
		w := wordAt(s, 8*i)
		if w&topBits == 0 {
			continue
		}
		chars -= bits.OnesCount64(continuations(w))
		astral += bits.OnesCount64(fourByteLeads(w))
	}
	for _, b := range []byte(s[len(s)&^7:]) {
		if isContinuation(b) {
			chars--
		} else if b >= fourByteLead {
			astral++
		}
	}
	return chars, astral
}

// fourByteLead is the least byte that begins a character of four bytes.
const fourByteLead = 0xF0

func isContinuation(b byte) bool { return b&0xC0 == 0x80 }

// countUnits returns the length of s in an encoding's units.
func countUnits(s string, e PositionEncoding) int {
	if e == UTF8 {
		return len(s)
	}
	chars, astral := countChars(s)
	if e == UTF32 {
		return chars
	}
	return chars + astral
}

// skipUnits returns the offset of the last character of s that begins at most
// n units after its start, and len(s) when s has no more than n units. So an
// n inside a character, or between its surrogates, gives its start.
func skipUnits(s string, n int, e PositionEncoding) Offset {
	if e == UTF8 {
		return floorChar(s, min(n, len(s)))
	}
	i := 0
	for range len(s) / 8 {
		w := wordAt(s, i)
		units := 8
		if w&topBits != 0 {
			units -= bits.OnesCount64(continuations(w))
			if e == UTF16 {
				units += bits.OnesCount64(fourByteLeads(w))
			}
		}
		if units > n {
			break
		}
		n -= units
		i += 8
	}
	for ; i < len(s); i++ {
		if isContinuation(s[i]) {
			continue
		}
		units := 1
		if e == UTF16 && s[i] >= fourByteLead {
			units = 2
		}
		if units > n {
			return i
		}
		n -= units
	}
	return len(s)
}

// floorChar returns the start of the character that holds byte o of s;
// 0 <= o <= len(s).
func floorChar(s string, o Offset) Offset {
	for o > 0 && o < len(s) && isContinuation(s[o]) {
		o--
	}
	return o
}
