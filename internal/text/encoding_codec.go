package text

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// codec turns bytes of one encoding into UTF-8 and back. Every encoding here
// is stateless: any character's bytes mean the same wherever they stand, so
// work may stop and go on at every character.
type codec interface {
	// decode appends the text of src to dst. What cannot be decoded becomes
	// U+FFFD. It stops before a character that src cuts off, unless atEOF.
	// consumed is how many bytes of src it took; lossy tells that encoding
	// the appended text would not give those bytes.
	decode(dst, src []byte, atEOF bool) (out []byte, consumed int, lossy bool)
	// encode appends the bytes of s, valid UTF-8, to dst. It stops before
	// the first character that the encoding does not hold: consumed < len(s).
	encode(dst []byte, s string) (out []byte, consumed int)
}

const replacementChar = "\uFFFD"

// codecOf finds the code for e.
func codecOf(e Encoding) (codec, bool) {
	switch e {
	case EncodingUTF8, "":
		return utf8Codec{}, true
	case EncodingUTF16LE:
		return utf16Codec{}, true
	case EncodingUTF16BE:
		return utf16Codec{bigEndian: true}, true
	case EncodingUTF32LE:
		return utf32Codec{}, true
	case EncodingUTF32BE:
		return utf32Codec{bigEndian: true}, true
	}
	for _, t := range singleByte {
		if t.name == e {
			return byteCodec{t.table}, true
		}
	}
	for _, t := range multiByte {
		if t.name == e {
			return newMultiCodec(t.table), true
		}
	}
	return nil, false
}

// asciiPrefix returns how many bytes at the start of b are below 0x80.
func asciiPrefix(b []byte) int {
	const high = 0x8080808080808080
	n := 0
	for ; n+8 <= len(b); n += 8 {
		if w := binary.LittleEndian.Uint64(b[n:]) & high; w != 0 {
			return n + bits.TrailingZeros64(w)/8
		}
	}
	for ; n < len(b); n++ {
		if b[n] >= utf8.RuneSelf {
			return n
		}
	}
	return n
}
