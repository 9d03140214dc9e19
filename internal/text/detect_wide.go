package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// wideWithZeros recognises UTF-16 and UTF-32 without mark by their zero
// bytes, which other texts do not have. It is sure or says no: every
// character is one that texts have, and almost all are of common kinds.
func wideWithZeros(head []byte) (Encoding, bool) {
	head = head[:min(len(head), binaryHead)]
	if bytes.IndexByte(head, 0) < 0 {
		return "", false // nearly all texts: they are not looked at one by one
	}
	zeros, others := 0, 0
	for _, b := range head {
		switch {
		case b == 0:
			zeros++
		case b >= utf8.RuneSelf || isControl(rune(b)):
			others++
		}
	}
	// In ASCII text with a stray zero any two letters would be a Han sign.
	if 3*zeros < len(head) && 8*others < len(head) {
		return "", false
	}
	for _, e := range []Encoding{EncodingUTF32LE, EncodingUTF32BE, EncodingUTF16LE, EncodingUTF16BE} {
		if looksLike(head, e) {
			return e, true
		}
	}
	return "", false
}

// looksLike reports whether sample reads as ordinary text in e. It may end within
// a character if it has binaryHead bytes.
func looksLike(sample []byte, e Encoding) bool {
	code, _ := codecOf(e)
	out, consumed, lossy := code.decode(nil, sample, false)
	cutOff := consumed < len(sample)
	if lossy || cutOff && len(sample) < binaryHead {
		return false
	}
	total, odd := 0, 0
	for len(out) > 0 {
		r, size := utf8.DecodeRune(out)
		out = out[size:]
		if isControl(r) {
			return false
		}
		total++
		if !isCommon(r) {
			odd++
		}
	}
	return total >= 2 && odd*20 <= total
}

// isControl reports whether r is a control character that no text has.
func isControl(r rune) bool {
	const escape = 0x1B
	return r < ' ' && (r < '\t' || r > '\r') && r != escape || r == utf8.RuneError || r&0xFFFE == 0xFFFE
}

// isCommon reports whether r is of the scripts and signs that most texts are
// made of. It is what tells bytes read in the right order from others.
func isCommon(r rune) bool {
	for _, b := range commonBlocks {
		if r <= b.last {
			return r >= b.first
		}
	}
	return false
}

// commonBlocks is sorted.
var commonBlocks = []struct{ first, last rune }{
	{'\t', '\r'}, {' ', 0x7E}, {0xA0, 0x17F}, // ASCII, Latin
	{0x370, 0x45F}, {0x490, 0x491}, {0x5D0, 0x5EA}, {0x600, 0x6FF}, // Greek, Cyrillic, Hebrew, Arabic
	{0x900, 0x97F}, {0xE00, 0xE5B}, {0x1E00, 0x1EFF}, // Devanagari, Thai, Vietnamese
	{0x2010, 0x2026}, {0x20AC, 0x20AC}, {0x2190, 0x2193}, {0x2500, 0x257F}, // punctuation, euro, arrows, boxes
	{0x3000, 0x30FF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, // kana, Han, hangul
	{0xFF01, 0xFF9F}, {0x1F300, 0x1FAFF}, // wide forms, emoji
}

// wideWithControls proposes UTF-16 for a sample with control characters that
// no text has, but that are half of many a Chinese or Japanese sign.
func wideWithControls(sample []byte) []Encoding {
	head := sample[:min(len(sample), binaryHead)]
	if !slices.ContainsFunc(head, func(b byte) bool { return isControl(rune(b)) }) {
		return nil
	}
	var list []Encoding
	for _, e := range []Encoding{EncodingUTF16LE, EncodingUTF16BE} {
		if looksLike(head, e) {
			list = append(list, e)
		}
	}
	return list
}

// wideOfSigns proposes UTF-16 for a sample that reads as frequent signs of
// East Asia: a text of these alone has no zero bytes. Other texts, taken two
// bytes at a time, are rare signs where they are signs at all.
func wideOfSigns(sample []byte) []Encoding {
	const least = 3 // signs
	head := sample[:min(len(sample), tellingBytes)]
	if len(head) < 2*least || len(head)%2 != 0 {
		return nil
	}
	var list []Encoding
	for _, e := range []Encoding{EncodingUTF16LE, EncodingUTF16BE} {
		if looksLike(head, e) && ofFrequentSigns(head, e) {
			list = append(list, e)
		}
	}
	return list
}

// ofFrequentSigns reports whether most characters of sample, read in e, are
// frequent signs.
func ofFrequentSigns(sample []byte, e Encoding) bool {
	code, _ := codecOf(e)
	out, _, _ := code.decode(nil, sample, false)
	frequent, others := 0, 0
	for _, r := range string(out) {
		switch {
		case utf8.RuneLen(r) == 1:
		case isFrequentSign(r):
			frequent++
		default:
			others++
		}
	}
	return frequent >= 2 && frequent >= 2*others
}

func isFrequentSign(r rune) bool {
	for _, set := range signSets() {
		if strings.ContainsRune(set.frequent, r) {
			return true
		}
	}
	return false
}
