package text

import "unicode/utf8"

type utf8Codec struct{}

func (utf8Codec) decode(dst, src []byte, atEOF bool) ([]byte, int, bool) {
	end := len(src)
	if !atEOF {
		end -= CutOff(src)
	}
	if utf8.Valid(src[:end]) {
		return append(dst, src[:end]...), end, false
	}
	for i := 0; i < end; {
		valid := validPrefix(src[i:end])
		dst = append(dst, src[i:i+valid]...)
		if i += valid; i < end {
			dst = append(dst, replacementChar...)
			i += invalidLen(src[i:end])
		}
	}
	return dst, end, true
}

func (utf8Codec) encode(dst []byte, s string) ([]byte, int) { return append(dst, s...), len(s) }

// validPrefix returns how many bytes at the start of b are valid UTF-8.
func validPrefix(b []byte) int {
	n := 0
	for n < len(b) {
		n += asciiPrefix(b[n:])
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			return n
		}
		n += size
	}
	return n
}

// invalidLen returns how many bytes at the start of b, which is not valid
// there, one U+FFFD stands for: the longest start of a character that breaks
// off, else one byte. Browsers and VS Code count the same.
func invalidLen(b []byte) int {
	n := 0
	for n < len(b) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return max(n, 1)
}

// CutOff returns how many bytes at the end of b, which is UTF-8, start a
// character that b cuts off: 0 to 3.
func CutOff(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
