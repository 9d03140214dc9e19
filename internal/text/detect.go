package text

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Detect guesses the encoding of a text that is neither valid UTF-8 nor
// marked, from a sample of its bytes: all of them, or a part that begins at a
// character and has some above 0x7F. It depends on the bytes alone and always
// answers one of [Encodings]: the likeliest in which all of the sample has a
// meaning and is written back as it was, but for a character that its end
// cuts off; or UTF-8 when little of the sample is anything else.
func Detect(sample []byte) Encoding {
	telling := tellingLines(sample)
	if isDamagedUTF8(telling) {
		return EncodingUTF8
	}
	for _, e := range slices.Concat(wideWithControls(sample), wideOfSigns(sample), ranked(telling)) {
		code, _ := codecOf(e)
		if _, _, lossy := code.decode(nil, sample, false); !lossy {
			return e
		}
	}
	return EncodingWindows1252 // which is never lossy
}

// tellingBytes is about how much is looked at to guess an encoding.
const tellingBytes = 4 << 10

// tellingLines returns the lines of sample that have bytes above 0x7F, up to
// tellingBytes. In all encodings in question a byte below 0x30 is itself, so
// that each line begins with a character.
func tellingLines(sample []byte) []byte {
	var lines []byte
	for len(sample) > 0 && len(lines) < tellingBytes {
		first := asciiPrefix(sample)
		start := bytes.LastIndexByte(sample[:first], '\n') + 1
		start = max(start, first-64)
		end := len(sample)
		if n := bytes.IndexByte(sample[first:], '\n'); n >= 0 {
			end = first + n + 1
		}
		if first < len(sample) {
			lines = append(lines, sample[start:min(end, start+tellingBytes)]...)
		}
		sample = sample[end:]
	}
	return lines
}

// isDamagedUTF8 reports whether telling is UTF-8 but for a few bytes, if any.
// Texts in other encodings hardly have a valid sequence by chance.
func isDamagedUTF8(telling []byte) bool {
	valid, invalid := 0, 0
	for i := asciiPrefix(telling); i < len(telling); i += asciiPrefix(telling[i:]) {
		r, size := utf8.DecodeRune(telling[i:])
		if r == utf8.RuneError && size == 1 {
			invalid++
			size = invalidLen(telling[i:])
		} else {
			valid++
		}
		i += size
	}
	return valid > 3*invalid || invalid == 0
}

// ranked lists the encodings that telling may be in, likeliest first: those
// in which it is made of the most frequent characters of some language.
func ranked(telling []byte) []Encoding {
	type guessed struct {
		encoding Encoding
		cost     int
	}
	var all []guessed
	pairs := pairsOf(telling)
	for _, set := range letterSets() {
		for e, reading := range set.readings() {
			all = append(all, guessed{e, set.rarity + rarityOf(e) + reading.total(pairs)})
		}
	}
	for _, set := range signSets() {
		signs := signCosts(set.frequent)
		for _, e := range set.encodings {
			if cost, ok := signs.totalOfSigns(telling, e); ok {
				all = append(all, guessed{e, set.rarity + cost})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b guessed) int { return a.cost - b.cost })
	var list []Encoding
	for _, g := range all {
		if !slices.Contains(list, g.encoding) {
			list = append(list, g.encoding)
		}
	}
	return list
}
