package text

import (
	"testing"
	"unicode/utf8"
)

// codecs calls check with each encoding and its code.
func codecs(t *testing.T, check func(t *testing.T, e Encoding, code codec)) {
	for _, e := range Encodings() {
		t.Run(string(e), func(t *testing.T) {
			code, ok := codecOf(e)
			if !ok {
				t.Fatal("no codec")
			}
			check(t, e, code)
		})
	}
}

// What can be written is read back as it was: no encoding may hold a
// character only by turning it into another.
func TestEveryCharacterHeldIsReadBack(t *testing.T) {
	codecs(t, func(t *testing.T, e Encoding, code codec) {
		var raw, back []byte
		held := 0
		for r := range utf8.MaxRune + 1 {
			if !utf8.ValidRune(r) || r > 0xFFFF && r%997 != 0 {
				continue
			}
			var n int
			raw, n = code.encode(raw[:0], string(r))
			if n == 0 {
				if r < utf8.RuneSelf {
					t.Errorf("%U is not held", r)
				}
				continue
			}
			held++
			var lossy bool
			back, n, lossy = code.decode(back[:0], raw, true)
			if string(back) != string(r) || n != len(raw) || lossy {
				t.Errorf("%U is written as % x and read back as %+q, lossy %v", r, raw, back, lossy)
			}
		}
		if held < 128+64 {
			t.Errorf("only %d characters are held", held)
		}
	})
}
