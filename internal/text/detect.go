package text

import (
	"slices"

	"github.com/wlynxg/chardet"
)

// Detect guesses the encoding of a text that is neither valid UTF-8 nor
// marked, from a sample of its bytes: all of them, or a part that begins at a
// character and has some above 0x7F. It depends on the bytes alone, always
// answers one of [Encodings], and prefers an encoding in which the sample has
// a meaning and is written back as it was.
func Detect(sample []byte) Encoding {
	all := candidates(sample)
	for _, e := range all {
		code, _ := codecOf(e)
		if _, _, lossy := code.decode(nil, sample, false); !lossy || e == EncodingUTF8 {
			return e
		}
	}
	return all[0]
}

// candidates lists encodings that sample may be in, likeliest first. The last
// one is never lossy.
func candidates(sample []byte) []Encoding {
	var list []Encoding
	for _, r := range chardet.DetectAll(sample) {
		if e, ok := ParseEncoding(r.Charset); ok && e != EncodingUTF8 && !slices.Contains(list, e) {
			if e == EncodingGBK {
				e = EncodingGB18030
			}
			list = append(list, e)
		}
	}
	return append(list, EncodingWindows1252)
}
