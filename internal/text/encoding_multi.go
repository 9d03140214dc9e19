package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// multiByte lists the stateless encodings of one to four bytes a character.
var multiByte = []struct {
	name  Encoding
	table encoding.Encoding
}{
	{EncodingGB18030, simplifiedchinese.GB18030},
	{EncodingGBK, simplifiedchinese.GBK},
	{EncodingBig5, traditionalchinese.Big5},
	{EncodingShiftJIS, japanese.ShiftJIS},
	{EncodingEUCJP, japanese.EUCJP},
	{EncodingEUCKR, korean.EUCKR},
}

// multiCodec reads and writes by x/text. Its tables hold bytes that decode to
// the same character (the vendors' extensions of Shift_JIS), so that only
// encoding again reports whether decoding was exact.
type multiCodec struct {
	decoder, encoder transform.Transformer
	again            []byte // what the last block gave when encoded again; reused
}

func newMultiCodec(table encoding.Encoding) *multiCodec {
	return &multiCodec{decoder: table.NewDecoder(), encoder: table.NewEncoder()}
}

// multiBlock is how many bytes are decoded, then encoded again, at a time.
const multiBlock = 16 << 10

func (c *multiCodec) decode(dst, src []byte, atEOF bool) ([]byte, int, bool) {
	done, lossy := 0, false
	for {
		n := asciiPrefix(src[done:])
		dst = append(dst, src[done:done+n]...)
		done += n
		block := nonASCIIPrefix(src[done:])
		last := done+len(block) == len(src)
		start := len(dst)
		dst, n, _ = run(c.decoder, dst, block, atEOF && last)
		lossy = lossy || !c.gives(dst[start:], block[:n])
		done += n
		if last {
			return dst, done, lossy
		}
	}
}

// nonASCIIPrefix returns the start of b up to multiBlock bytes or where ASCII
// goes on for a while, with a little of that: bytes below 0x80 may belong to
// the character before, but no more than two of them.
func nonASCIIPrefix(b []byte) []byte {
	const high, belonging = 0x8080_8080_8080_8080, 3
	limit := min(len(b), multiBlock)
	for i := 0; i+8 <= limit; {
		w := binary.LittleEndian.Uint64(b[i:]) & high
		if w == 0 {
			return b[:i+belonging]
		}
		i += bits.Len64(w) / 8
	}
	return b[:limit]
}

// gives reports whether text, encoded, is raw.
func (c *multiCodec) gives(text, raw []byte) bool {
	var n int
	c.again, n = c.encodeBytes(c.again[:0], text)
	return n == len(text) && bytes.Equal(c.again, raw)
}

func (c *multiCodec) encode(dst []byte, s string) ([]byte, int) {
	return c.encodeBytes(dst, reinterpret.Bytes(s))
}

func (c *multiCodec) encodeBytes(dst, s []byte) ([]byte, int) {
	done := 0
	for {
		doubt := len(s)
		if i := bytes.IndexByte(s[done:], privateLead); i >= 0 {
			doubt = done + i
		}
		var n int
		dst, n, _ = run(c.encoder, dst, s[done:doubt], true)
		if done += n; done < doubt || doubt == len(s) {
			return dst, done
		}
		if dst, n = c.encodePrivate(dst, s[done:]); n == 0 {
			return dst, done
		}
		done += n
	}
}

// privateLead is the first byte, in UTF-8, of the first 4,096 characters for
// private use. Of those GB18030 has most in two bytes, which x/text has not;
// it writes them as the bytes of others.
const privateLead = 0xEE

// encodePrivate appends the bytes of the character that s begins with if they
// are read back as that character; else it takes nothing.
func (c *multiCodec) encodePrivate(dst, s []byte) ([]byte, int) {
	_, size := utf8.DecodeRune(s)
	start := len(dst)
	dst, _, _ = run(c.encoder, dst, s[:size], true)
	if back, _, _ := run(c.decoder, nil, dst[start:], true); bytes.Equal(back, s[:size]) {
		return dst, size
	}
	return dst[:start], 0
}

// run appends to dst what t makes of src and returns how much of src it took:
// all but a cut-off character or what t refuses.
func run(t transform.Transformer, dst, src []byte, atEOF bool) ([]byte, int, error) {
	taken := 0
	for {
		// Half as much again holds most texts of all these encodings; more is
		// asked for as it is needed.
		dst = slices.Grow(dst, (len(src)-taken)*3/2+16)
		nDst, nSrc, err := t.Transform(dst[len(dst):cap(dst)], src[taken:], atEOF)
		dst = dst[:len(dst)+nDst]
		taken += nSrc
		if !errors.Is(err, transform.ErrShortDst) {
			return dst, taken, err
		}
	}
}
