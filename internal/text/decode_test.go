package text

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// heldRunes lists the characters that code holds, without the marks' own.
func heldRunes(code codec) []rune {
	var held []rune
	var raw []byte
	for r := range rune(0x2FFFF) {
		if !utf8.ValidRune(r) || r == 0xFEFF || r > 0x10000 && r%997 != 0 {
			continue
		}
		var n int
		if raw, n = code.encode(raw[:0], string(r)); n > 0 {
			held = append(held, r)
		}
	}
	return held
}

func randomString(r *rand.Rand, from []rune, n int) string {
	var b strings.Builder
	for range n {
		if r.IntN(3) == 0 {
			b.WriteByte("abc \n\r\t"[r.IntN(7)])
		} else {
			b.WriteRune(from[r.IntN(len(from))])
		}
	}
	return b.String()
}

func decoded(t *testing.T, raw []byte, forced Encoding) Decoded {
	t.Helper()
	d, err := Decode(raw, forced)
	if err != nil {
		t.Fatalf("Decode(% x, %q): %v", raw, forced, err)
	}
	return d
}

func TestTextsRoundTripInEveryEncoding(t *testing.T) {
	codecs(t, func(t *testing.T, e Encoding, code codec) {
		r := rand.New(rand.NewPCG(1, 1))
		runes := heldRunes(code)
		for range 20 {
			want := randomString(r, runes, r.IntN(3000))
			for _, f := range []Format{{Encoding: e}, {Encoding: e, BOM: markOf(e) != ""}} {
				raw, err := f.Encode(New(want))
				if err != nil {
					t.Fatal(err)
				}
				d := decoded(t, raw, e)
				if d.Text.String() != want || d.Lossy || d.Detected || d.Format != f {
					t.Fatalf("%v: lossy %v, detected %v, text %+q\nwant %+q", d.Format, d.Lossy, d.Detected, d.Text, want)
				}
				if h, err := f.Hash(d.Text); err != nil || h != HashBytes(raw) {
					t.Fatalf("Hash gives %v, %v; the bytes have %v", h, err, HashBytes(raw))
				}
			}
		}
	})
}

// randomBytes is noise, or what code makes of a text with some noise in it.
func randomBytes(r *rand.Rand, code codec, runes []rune) []byte {
	n := r.IntN(400)
	if r.IntN(4) == 0 {
		raw := make([]byte, n)
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		return raw
	}
	raw, _ := code.encode(nil, randomString(r, runes, n))
	for range r.IntN(4) {
		if len(raw) == 0 {
			break
		}
		switch i := r.IntN(len(raw)); r.IntN(3) {
		case 0:
			raw[i] = byte(r.Uint32())
		case 1:
			raw = append(raw[:i], raw[i+1:]...)
		case 2:
			raw = raw[:i]
		}
	}
	return raw
}

// Lossy is exact in both directions, for any bytes.
func TestLossyMeansThatTheBytesDoNotComeBack(t *testing.T) {
	codecs(t, func(t *testing.T, e Encoding, code codec) {
		r := rand.New(rand.NewPCG(2, 2))
		runes := heldRunes(code)
		lossy := 0
		for range 250 {
			raw := randomBytes(r, code, runes)
			d := decoded(t, raw, e)
			again, err := d.Format.Encode(d.Text)
			same := err == nil && bytes.Equal(again, raw)
			if d.Lossy == same {
				t.Fatalf("Lossy is %v for % x\nback come % x, %v", d.Lossy, raw, again, err)
			}
			if d.Lossy {
				lossy++
			}
		}
		t.Logf("%d of 250 lossy", lossy)
	})
}

// Blocks of any size give the same text, and every place between two calls is
// one where decoding can start.
func TestDecodingInBlocks(t *testing.T) {
	codecs(t, func(t *testing.T, e Encoding, code codec) {
		r := rand.New(rand.NewPCG(3, 3))
		runes := heldRunes(code)
		for range 150 {
			raw := randomBytes(r, code, runes)
			f := Format{Encoding: e}
			whole, consumed, lossy := f.NewDecoder().Append(nil, raw, true)
			if consumed != len(raw) {
				t.Fatalf("at the end %d of %d bytes are taken", consumed, len(raw))
			}
			var out []byte
			anyLossy := false
			for rest := raw; ; {
				n := min(len(rest), 1+r.IntN(12))
				atEOF := n == len(rest)
				var l bool
				// A new decoder each time: it must not remember anything.
				out, n, l = f.NewDecoder().Append(out, rest[:n], atEOF)
				anyLossy = anyLossy || l
				if atEOF {
					break
				}
				if n == 0 { // the block was too small for one character
					grown := min(len(rest), 16)
					out, n, l = f.NewDecoder().Append(out, rest[:grown], grown == len(rest))
					anyLossy = anyLossy || l
				}
				rest = rest[n:]
			}
			if !bytes.Equal(out, whole) || anyLossy != lossy {
				t.Fatalf("% x\nin blocks %+q, %v\nat once  %+q, %v", raw, out, anyLossy, whole, lossy)
			}
			if !utf8.Valid(out) {
				t.Fatalf("not valid UTF-8: % x", out)
			}
		}
	})
}

func TestDecoderLeavesOnlyACutOffCharacter(t *testing.T) {
	for _, c := range []struct {
		encoding Encoding
		raw      string
		consumed int
	}{
		{EncodingUTF8, "ab\xe6\xbc", 2}, {EncodingUTF8, "ab\xf0\x9f\x98", 2}, {EncodingUTF8, "ab\xff", 3},
		{EncodingUTF8, "ab\xe6\x20", 4}, {EncodingUTF8, "\x80\x80\x80\x80", 4}, {EncodingUTF8, "\xed\xa0", 2},
		{EncodingUTF16LE, "a\x00\x3d", 2}, {EncodingUTF16LE, "a\x00\x3d\xd8", 2}, {EncodingUTF16LE, "a\x00\x3d\xd8\x00", 2},
		{EncodingUTF32BE, "\x00\x00\x00a\x00\x01\xf6", 4},
		{EncodingGB18030, "a\x81", 1}, {EncodingGB18030, "a\x81\x30\x81", 1}, {EncodingShiftJIS, "a\x82", 1},
		{EncodingEUCJP, "a\x8f\xb0", 1}, {EncodingBig5, "\xa4\x40\xa4", 2}, {EncodingEUCKR, "\xb0", 0},
		{EncodingWindows1252, "a\x81", 2},
	} {
		_, consumed, _ := Format{Encoding: c.encoding}.NewDecoder().Append(nil, []byte(c.raw), false)
		if consumed != c.consumed {
			t.Errorf("%s: of % x %d are taken, want %d", c.encoding, c.raw, consumed, c.consumed)
		}
	}
}

// What a browser shows for broken UTF-8 is what we show.
func TestInvalidUTF8IsReplacedAsBrowsersDo(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	pieces := []string{"a", "é", "漢", "😀", "\x80", "\xbf", "\xc0", "\xc3", "\xe0", "\xa0", "\xed", "\xe6\xbc", "\xf0\x9f", "\xf0\x9f\x98", "\xf4", "\x90", "\xf5", "\xff"}
	for range 20000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		raw := []byte(b.String())
		want, err := unicode.UTF8.NewDecoder().Bytes(raw)
		if err != nil {
			t.Fatal(err)
		}
		got, _, lossy := Format{}.NewDecoder().Append(nil, raw, true)
		if !bytes.Equal(got, want) || lossy == utf8.Valid(raw) {
			t.Fatalf("% x gives %+q, lossy %v; want %+q", raw, got, lossy, want)
		}
	}
}

func TestDecodeWhatHasNoMeaning(t *testing.T) {
	for _, c := range []struct {
		encoding  Encoding
		raw, want string
	}{
		{EncodingUTF16LE, "\x00\xd8a\x00", "\uFFFDa"},                     // high surrogate alone
		{EncodingUTF16LE, "\x00\xdca\x00", "\uFFFDa"},                     // low surrogate alone
		{EncodingUTF16BE, "\xdc\x00\xdc\x00\x00a", "\uFFFD\uFFFDa"},       // two low ones
		{EncodingUTF16BE, "\xd8\x00\xd8\x3d\xde\x00", "\uFFFD\U0001F600"}, // one before a pair
		{EncodingUTF16LE, "a\x00b", "a\uFFFD"},                            // odd length
		{EncodingUTF16LE, "a\x00\x00\xd8", "a\uFFFD"},                     // ends in half a pair
		{EncodingUTF16LE, "a\x00\x00\xd8\x00", "a\uFFFD\uFFFD"},           // and a byte
		{EncodingUTF32LE, "a\x00\x00\x00\x00\x00\x11\x00", "a\uFFFD"},     // above U+10FFFF
		{EncodingUTF32LE, "\x00\xd8\x00\x00a\x00", "\uFFFD\uFFFD"},        // surrogate, cut off
		{EncodingGB18030, "a\x81", "a\uFFFD"},                             // cut off
		{EncodingGB18030, "a\x81\x30\x81", "a\uFFFD0\uFFFD"},              // cut off within four
		{EncodingGB18030, "a\xff\x80b", "a\uFFFD€b"},                      // invalid; a second way to write the euro
		{EncodingShiftJIS, "\x82\xa0\x82", "あ\uFFFD"},                     // cut off
		{EncodingShiftJIS, "\xfa\x54", "￢"},                               // NEC's copy of 81 CA
		{EncodingEUCJP, "\xa4\xa2\x8f\xff", "あ\uFFFD\uFFFD"},              // invalid
		{EncodingBig5, "\x88\x62", "\u00CA\u0304"},                        // two characters in one
		{EncodingEUCKR, "\xb0\x20", "\uFFFD "},                            // no second byte
		{"windows-1253", "a\xaa\xd2\xff", "a\uFFFD\uFFFD\uFFFD"},          // undefined
		{"iso-8859-6", "\xa1", "\uFFFD"},                                  // undefined
		{EncodingUTF8, "a\xe6\xbcb\xff", "a\uFFFDb\uFFFD"},                //
	} {
		d := decoded(t, []byte(c.raw), c.encoding)
		if got := d.Text.String(); got != c.want || !d.Lossy {
			t.Errorf("%s: % x gives %+q, lossy %v; want %+q", c.encoding, c.raw, got, d.Lossy, c.want)
		}
	}
}

// U+FFFD itself is a character like others where an encoding has it.
func TestReplacementCharacterIsNotLossyByItself(t *testing.T) {
	for _, e := range []Encoding{EncodingUTF8, EncodingUTF16BE, EncodingUTF32LE, EncodingGB18030} {
		raw, err := Format{Encoding: e}.Encode(New("a\uFFFDb"))
		if err != nil {
			t.Fatal(err)
		}
		if d := decoded(t, raw, e); d.Lossy || d.Text.String() != "a\uFFFDb" {
			t.Errorf("%s: %+q, lossy %v", e, d.Text, d.Lossy)
		}
	}
}

func TestWindows1252HoldsEveryByte(t *testing.T) {
	var raw []byte
	for b := range 256 {
		raw = append(raw, byte(b))
	}
	for _, e := range []Encoding{EncodingWindows1252, EncodingLatin1, "windows-1250", "windows-1251", "windows-1254", "windows-1256", "windows-1258", "iso-8859-9", "iso-8859-15", "koi8-r", "ibm866"} {
		d := decoded(t, raw, e)
		if again, err := d.Format.Encode(d.Text); d.Lossy || err != nil || !bytes.Equal(again, raw) {
			t.Errorf("%s: lossy %v, %v, % x", e, d.Lossy, err, again)
		}
	}
	if got := decoded(t, []byte("\x80\x81"), EncodingWindows1252).Text.String(); got != "€\u0081" {
		t.Errorf("got %+q", got)
	}
}

func TestDecodeRefusesOnlyUnknownEncodings(t *testing.T) {
	for _, e := range []Encoding{"utf-7", "UTF-8", "latin1"} {
		if _, err := Decode([]byte("a"), e); fault.KindOf(err) != fault.InvalidParams {
			t.Errorf("Decode as %q gives %v", e, err)
		}
	}
}
