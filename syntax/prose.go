package syntax

import "bytes"

// Prose takes a grammar a hundred times as long as code, for nothing.
const (
	minProse = 16 << 10 // bytes; what is smaller takes no time that matters
	// Of a hundred words of code, at least 30 stand with a mark, and hardly 50
	// in front of another word; of prose, 20 and 70.
	maxMarksOfProse = 20
	minPairsOfProse = 60
	minWordsOfProse = 300 // in less there is nothing to tell it by
)

// isProse tells that the text, as far as it is neither comment nor string, is
// words one after the other. Most code is told by a glance.
func (l *Language) isProse(src []byte) bool {
	if l.holdsText || len(src) < minProse {
		return false
	}
	sample := src[:min(len(src), shapeSample)]
	sample = sample[:bytes.LastIndexByte(sample, '\n')+1] // a line cut off may end within a string
	glance := len(sample) / 2
	return isWordy(sample[glance:min(len(sample), glance+minProse/2)]) && isWordy(withoutLongStrings(l.CodeOnly(sample)))
}

func isWordy(sample []byte) bool {
	words, pairs, marks := 0, 0, 0
	for i := 0; i < len(sample); {
		if !isLetter(sample[i]) {
			if bytes.IndexByte([]byte("(){}[]=<>_&|$@#%+/\\^~`*"), sample[i]) >= 0 {
				marks++
			}
			i++
			continue
		}
		for i < len(sample) && isLetter(sample[i]) {
			i++
		}
		words++
		if i+1 < len(sample) && sample[i] == ' ' && isLetter(sample[i+1]) {
			pairs++
		}
	}
	return words >= minWordsOfProse && 100*marks <= maxMarksOfProse*words && 100*pairs >= minPairsOfProse*words
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }

// withoutLongStrings blanks what stands between the quotes of strings of many
// lines, which many languages have. The last may go on behind b.
func withoutLongStrings(b []byte) []byte {
	for _, quote := range []string{"`", `"""`, "'''"} {
		inside := false
		for at := 0; at < len(b); inside = !inside {
			n := bytes.Index(b[at:], []byte(quote))
			if n < 0 {
				n = len(b) - at
			}
			for i := at; inside && i < at+n; i++ {
				b[i] = ' '
			}
			at += n + len(quote)
		}
	}
	return b
}
