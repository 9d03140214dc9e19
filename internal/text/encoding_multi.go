package text

import (
	"bytes"
	"errors"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
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
// encoding again tells whether decoding was exact.
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
	for done < len(src) {
		block := src[done:min(len(src), done+multiBlock)]
		last := done+len(block) == len(src)
		start := len(dst)
		var n int
		dst, n, _ = run(c.decoder, dst, block, atEOF && last)
		lossy = lossy || !c.gives(dst[start:], block[:n])
		done += n
		if last {
			break
		}
	}
	return dst, done, lossy
}

// gives tells whether text, encoded, is raw.
func (c *multiCodec) gives(text, raw []byte) bool {
	again, n, err := run(c.encoder, c.again[:0], text, true)
	c.again = again
	return err == nil && n == len(text) && bytes.Equal(again, raw)
}

func (c *multiCodec) encode(dst []byte, s string) ([]byte, int) {
	dst, n, _ := run(c.encoder, dst, bytesOf(s), true)
	return dst, n
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
