package search

import (
	"math"
	"strings"
)

// frequent lists bytes of source code by how often they are there: those of
// the i-th text are one of 2^(i+3) bytes, about. Others are rarer.
var frequent = [...]string{
	" ", "e", "tnsir_oa\n", "cld0fup,xS\t", "hm)(ET/*IORgCA1.NLPybk:2v", `="DM-F34X{}6w5BG8\9U;#V`, "7HK[]Y<zW>&!", "q+'|jQ%",
}

// rarity is how many bits it tells that a byte is c.
func rarity(c byte) float64 {
	for i, bytes := range frequent {
		if strings.IndexByte(bytes, c) >= 0 {
			return float64(i + 3)
		}
	}
	return float64(len(frequent) + 4)
}

// foldedRarity is rarity where case does not count.
func foldedRarity(c byte) float64 {
	if isLetter(c) {
		return min(rarity(lower(c)), rarity(c&^0x20)) - 0.3
	}
	return rarity(c)
}

// hitRate estimates how many literals of set a byte of source code begins.
// Letters tell each other, so that a text tells less than its letters.
func hitRate(set []Literal) float64 {
	const alone = 0.6
	rate := 0.0
	for _, l := range set {
		bits := 0.0
		for i := range min(len(l.Text), 16) {
			if l.Fold {
				bits += foldedRarity(l.Text[i])
			} else {
				bits += rarity(l.Text[i])
			}
		}
		rate += math.Exp2(-bits * alone)
	}
	return rate
}
