package text

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

type utf16Codec struct{ bigEndian bool }

func (c utf16Codec) unit(b []byte) rune {
	if c.bigEndian {
		return rune(binary.BigEndian.Uint16(b))
	}
	return rune(binary.LittleEndian.Uint16(b))
}

func (c utf16Codec) appendUnit(dst []byte, u rune) []byte {
	if c.bigEndian {
		return append(dst, byte(u>>8), byte(u))
	}
	return append(dst, byte(u), byte(u>>8))
}

// decode makes U+FFFD of every surrogate without its partner and of a single
// last byte.
func (c utf16Codec) decode(dst, src []byte, atEOF bool) ([]byte, int, bool) {
	i, lossy := 0, false
	for {
		dst, i = c.decodeASCII(dst, src, i)
		if i+2 > len(src) {
			break
		}
		r, size := c.unit(src[i:]), 2
		if utf16.IsSurrogate(r) {
			if i+4 > len(src) && !atEOF {
				return dst, i, lossy
			}
			r, size = c.pair(r, src[i+2:])
			lossy = lossy || size == 2
		}
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	if i < len(src) && atEOF {
		return append(dst, replacementChar...), len(src), true
	}
	return dst, i, lossy
}

// decodeASCII takes characters below 0x80, four at a time, from src[i:].
func (c utf16Codec) decodeASCII(dst, src []byte, i int) ([]byte, int) {
	const notASCII = 0xFF80_FF80_FF80_FF80
	for ; i+8 <= len(src); i += 8 {
		w := binary.LittleEndian.Uint64(src[i:])
		if c.bigEndian {
			w = w&0xFF00_FF00_FF00_FF00>>8 | w&0x00FF_00FF_00FF_00FF<<8
		}
		if w&notASCII != 0 {
			break
		}
		dst = append(dst, byte(w), byte(w>>16), byte(w>>32), byte(w>>48))
	}
	return dst, i
}

// pair joins the surrogate first with the one that rest starts with; size is
// 4, or 2 and U+FFFD when they are no pair.
func (c utf16Codec) pair(first rune, rest []byte) (r rune, size int) {
	if len(rest) >= 2 {
		if r := utf16.DecodeRune(first, c.unit(rest)); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}

func (c utf16Codec) encode(dst []byte, s string) ([]byte, int) {
	for _, r := range s {
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			dst, r = c.appendUnit(dst, high), low
		}
		dst = c.appendUnit(dst, r)
	}
	return dst, len(s)
}
