package search

import (
	"slices"
	"strings"
)

// A gram is three bytes of a text in a row, made coarser: each byte is one of
// 64 classes, 6 bits, in which a letter's case does not matter; one more bit
// reports whether a capital is among them. So a literal whose case matters looks
// up one gram where one whose case does not looks up two.
type gram uint32

const (
	classBits = 6
	foldedLen = 1 << (3 * classBits) // grams without regard to case
	capital   = gram(foldedLen)      // the bit that tells of a capital
	gramCount = 2 * foldedLen        // grams are below this
	gramLen   = 3                    // bytes

	classMask  = 1<<classBits - 1
	foldedMask = foldedLen - 1
)

// classOf maps each byte to its class, and to 0x40 besides for a capital.
// Bytes that texts often have are classes of their own; the rest share some.
var classOf = makeClasses()

const capitalByte = 1 << classBits

func makeClasses() (classes [256]uint8) {
	const (
		alone      = "\n _.,()\"'/-:;=*{}[]<>&"
		digits     = 26
		others     = 36
		controls   = 58 // two classes
		characters = 60 // four classes, for the bytes above ASCII
	)
	for b := range classes {
		switch c := uint8(b); {
		case c >= 'a' && c <= 'z':
			classes[b] = c - 'a'
		case c >= 'A' && c <= 'Z':
			classes[b] = c - 'A' | capitalByte
		case c >= '0' && c <= '9':
			classes[b] = digits + c - '0'
		case strings.IndexByte(alone, c) >= 0:
			classes[b] = others + uint8(strings.IndexByte(alone, c))
		case c >= 0x80:
			classes[b] = characters + c&3
		default: // tabs, other controls, and the marks # + ! | $ @ \ % ? ^ ` ~
			classes[b] = controls + c&1
		}
	}
	return classes
}

// gramsOf returns the grams of a literal, each once and without regard to
// case where fold is set.
func gramsOf(l Literal) []gram {
	var grams []gram
	for i := 0; i+gramLen <= len(l.Text) && len(grams) < maxLiteralGrams; i++ {
		g := gramAt(l.Text[i:])
		if l.Fold {
			g &= foldedMask
		}
		if !slices.Contains(grams, g) {
			grams = append(grams, g)
		}
	}
	return grams
}

// maxLiteralGrams bounds how many grams of one literal are looked at: they
// hardly leave more out beyond that.
const maxLiteralGrams = 64

// gramAt returns the gram of the first three bytes of s.
func gramAt(s string) gram {
	a, b, c := classOf[s[0]], classOf[s[1]], classOf[s[2]]
	g := gram(a&classMask)<<(2*classBits) | gram(b&classMask)<<classBits | gram(c&classMask)
	if (a|b|c)&capitalByte != 0 {
		g |= capital
	}
	return g
}
