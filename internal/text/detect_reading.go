package text

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Costs are in hundredths of a bit, so that guesses do not hang on how a
// processor rounds.
const (
	costSign        = 600
	costStranger    = 1200 // neither of the language nor a common sign
	costNothing     = 2500 // a byte that the encoding leaves undefined
	costUpper       = 350  // over the small letter
	costUpperInside = 500  // a capital after a small letter
	costNeighbour   = 330  // two letters outside ASCII together, where most are in it
	costFinalInside = 900  // a letter for the ends of words, before another letter
	gainFinalAtEnd  = 300  // such a letter where it belongs
	costMixed       = 700  // letters of two scripts, or a letter and a sign that is none, in one word
)

// costs are of characters, in hundredths of a bit.
type costs map[rune]int

// letterCosts returns the costs of letters, their capitals, and signs.
func letterCosts(letters string) costs {
	all := letterRanks(letters)
	for _, r := range letters {
		u := unicode.ToUpper(r)
		if _, known := all[u]; !known {
			all[u] = all[r] + costUpper
		}
	}
	for _, r := range besideLetters + apart {
		all[r] = costSign
	}
	return all
}

// letterRanks makes a letter the cheaper the more frequent it is. The shares
// of an alphabet's letters are close to those of a stick broken at random.
func letterRanks(letters string) costs {
	all := make(costs)
	ranked := []rune(letters)
	share := 0.0
	for n := len(ranked); n > 0; n-- {
		share += 1 / float64(n) / float64(len(ranked))
		all[ranked[n-1]] = costOf(share)
	}
	return all
}

// costOf is the cost of what happens with probability p.
func costOf(p float64) int { return int(math.Round(-100 * math.Log2(p))) }

func (c costs) ofLetter(r rune) int {
	if cost, ok := c[r]; ok {
		return cost
	}
	if unicode.IsControl(r) || r == utf8.RuneError {
		return costNothing
	}
	return costStranger
}

type letterKind uint8

const (
	noLetter letterKind = iota
	smallLetter
	capitalLetter
	apartSign
)

func (k letterKind) isLetter() bool { return k == smallLetter || k == capitalLetter }

func kindOf(r rune) letterKind {
	switch {
	case unicode.IsUpper(r):
		return capitalLetter
	case unicode.IsLetter(r), unicode.IsMark(r):
		return smallLetter
	case strings.ContainsRune(apart, r):
		return apartSign
	}
	return noLetter
}

// reading is a language in one of its encodings, by bytes.
type reading struct {
	ownScript bool
	cost      [256]int
	kind      [256]letterKind
	final     [256]bool
}

// readings yields the language in each of its encodings.
func (set letterSet) readings() iter.Seq2[Encoding, *reading] {
	return func(yield func(Encoding, *reading) bool) {
		letters := letterCosts(set.letters)
		for _, e := range set.encodings {
			r := &reading{ownScript: set.ownScript}
			for b, c := range characters(e) {
				r.kind[b] = kindOf(c)
				r.final[b] = strings.ContainsRune(set.finals, c)
				if b >= utf8.RuneSelf {
					r.cost[b] = letters.ofLetter(c)
				}
			}
			if !yield(e, r) {
				return
			}
		}
	}
}

// characters returns what each byte is in a single-byte encoding.
func characters(e Encoding) (all [256]rune) {
	var raw [256]byte
	for b := range raw {
		raw[b] = byte(b)
	}
	code, _ := codecOf(e)
	out, _, _ := code.decode(nil, raw[:], true)
	for b := range all {
		c, size := utf8.DecodeRune(out)
		all[b], out = c, out[size:]
	}
	return all
}

// bytePair is two bytes side by side, at least one of them above 0x7F, and how
// often they stand so.
type bytePair struct {
	first, second byte
	count         int
}

// pairsOf counts the pairs of sample. Many readings are then judged by them.
func pairsOf(sample []byte) []bytePair {
	var all []uint16
	before := byte('\n')
	for _, b := range sample {
		if (before|b)&utf8.RuneSelf != 0 {
			all = append(all, uint16(before)<<8|uint16(b))
		}
		before = b
	}
	slices.Sort(all)
	var pairs []bytePair
	for i, p := range all {
		if i == 0 || p != all[i-1] {
			pairs = append(pairs, bytePair{byte(p >> 8), byte(p), 0})
		}
		pairs[len(pairs)-1].count++
	}
	return pairs
}

// total returns what it costs to believe that a text with these pairs is in
// the reading's language and encoding.
func (r *reading) total(pairs []bytePair) int {
	sum := 0
	for _, p := range pairs {
		sum += (r.cost[p.second] + r.joint(p)) * p.count
	}
	return sum
}

// joint is the cost of two characters side by side, one outside ASCII.
func (r *reading) joint(p bytePair) int {
	first, second := r.kind[p.first], r.kind[p.second]
	if r.final[p.first] {
		if !second.isLetter() {
			return -gainFinalAtEnd
		}
		return costFinalInside
	}
	if !first.isLetter() || !second.isLetter() {
		if first == apartSign && second.isLetter() || first.isLetter() && second == apartSign {
			return costMixed
		}
		return 0
	}
	cost := 0
	if first == smallLetter && second == capitalLetter {
		cost = costUpperInside
	}
	bothOutside := p.first&p.second&utf8.RuneSelf != 0
	switch {
	case r.ownScript && !bothOutside:
		cost += costMixed
	case !r.ownScript && bothOutside:
		cost += costNeighbour
	}
	return cost
}
