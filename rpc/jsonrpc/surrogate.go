package jsonrpc

import "bytes"

// A lone surrogate is half of a surrogate pair without the other. Its escape
// (\ud800) is legal JSON, but there is no UTF-8 for it and decoders refuse it. It
// is overwritten with replacement, in place: both are one UTF-16 unit, so positions
// behind it stay right. A call that holds one is refused: it would be done with
// another text than its own. A document that is told one is out of sync.

// replacement stands in the place of an escape of a lone surrogate: U+FFFD,
// spelt as nobody else spells it, so that who reads the text can tell.
const replacement = `\uFfFd`

// replaceLoneSurrogates overwrites the lone surrogates in a JSON text, and reports
// whether there were any.
func replaceLoneSurrogates(data []byte) (any bool) {
	for i := nextLoneSurrogate(data, 0); i < len(data); i = nextLoneSurrogate(data, i+len(replacement)) {
		copy(data[i:], replacement)
		any = true
	}
	return any
}

// HasLoneSurrogate reports whether a JSON text holds a lone surrogate, or did
// before it was replaced.
func HasLoneSurrogate(data []byte) bool { return nextLoneSurrogate(data, 0) < len(data) }

// nextLoneSurrogate returns the offset of the first lone surrogate in data[i:], or
// of what stands in the place of one; len(data) when there is none.
func nextLoneSurrogate(data []byte, i int) int {
	if !bytes.Contains(data[i:], []byte(`\u`)) { // as in most texts
		return len(data)
	}
	for i < len(data) {
		next := bytes.IndexByte(data[i:], '\\')
		if next < 0 {
			break
		}
		i += next
		n, lone := escapeAt(data[i:])
		if lone {
			return i
		}
		i += n
	}
	return len(data)
}

// escapeAt returns the length of the escape that s begins with, both of a
// surrogate pair, and reports whether it is a lone one.
func escapeAt(s []byte) (n int, lone bool) {
	const high, low, kind = 0xD800, 0xDC00, 0xFC00
	unit, ok := unitOf(s)
	if !ok {
		return 2, false
	}
	second, ok := unitOf(s[len(replacement):])
	switch {
	case unit&kind == high && ok && second&kind == low:
		return 2 * len(replacement), false
	case unit&kind == high, unit&kind == low, string(s[:len(replacement)]) == replacement:
		return len(replacement), true
	}
	return len(replacement), false
}

// unitOf returns the UTF-16 unit that an escape \uXXXX at the start of s stands
// for.
func unitOf(s []byte) (unit uint16, ok bool) {
	if len(s) < len(replacement) || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, b := range s[2:len(replacement)] {
		switch lower := b | 0x20; {
		case b-'0' <= 9:
			unit = unit<<4 | uint16(b-'0')
		case lower-'a' <= 5:
			unit = unit<<4 | uint16(lower-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}
