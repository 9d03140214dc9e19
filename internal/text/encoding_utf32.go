package text

import (
	"encoding/binary"
	"unicode/utf8"
)

type utf32Codec struct{ bigEndian bool }

func (c utf32Codec) unit(b []byte) uint32 {
	if c.bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// decode makes U+FFFD of every unit that is no character, and of one to three
// last bytes.
func (c utf32Codec) decode(dst, src []byte, atEOF bool) ([]byte, int, bool) {
	i, lossy := 0, false
	for ; i+4 <= len(src); i += 4 {
		u := c.unit(src[i:])
		r := rune(u)
		if u > utf8.MaxRune || !utf8.ValidRune(r) {
			r, lossy = utf8.RuneError, true
		}
		dst = utf8.AppendRune(dst, r)
	}
	if i < len(src) && atEOF {
		return append(dst, replacementChar...), len(src), true
	}
	return dst, i, lossy
}

func (c utf32Codec) encode(dst []byte, s string) ([]byte, int) {
	for _, r := range s {
		if c.bigEndian {
			dst = binary.BigEndian.AppendUint32(dst, uint32(r))
		} else {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(r))
		}
	}
	return dst, len(s)
}
