package search

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// Finder looks for one string in long texts. It looks for the string's rarest
// byte first, which a processor does several times faster than it reports
// whether a common first byte, a tab perhaps, begins the string.
type Finder struct {
	text string
	rare int // offset of the rarest byte
}

// NewFinder returns a finder of text, which is not empty.
func NewFinder(text string) Finder {
	f := Finder{text: text}
	for i := range len(text) {
		if rarity(text[i]) > rarity(text[f.rare]) {
			f.rare = i
		}
	}
	return f
}

// Misses are places where the rarest byte is and the string is not. Those that
// are free are few enough to be no loss in any text, and there may be one in
// as many bytes as bytesPerMiss. One where the string goes on for longer than
// headBytes counts for each so many bytes of it: in a text that repeats itself
// a long string is nearly everywhere.
const (
	freeMisses   = 16
	bytesPerMiss = 32
	headBytes    = 64
)

// Index returns the offset of the first occurrence in s that begins at from or
// behind, -1 when there is none.
func (f Finder) Index(s string, from int) int {
	rare, head := f.text[f.rare], f.text[:min(len(f.text), headBytes)]
	at := from + f.rare
	for misses := 0; at <= len(s)-(len(f.text)-f.rare); misses++ {
		if misses > freeMisses+(at-from)/bytesPerMiss {
			return f.steadily(s, at-f.rare)
		}
		i := strings.IndexByte(s[at:], rare)
		if i < 0 {
			return -1
		}
		if begin := at + i - f.rare; strings.HasPrefix(s[begin:], head) {
			if strings.HasPrefix(s[begin:], f.text) {
				return begin
			}
			misses += len(f.text) / headBytes
		}
		at += i + 1
	}
	return -1
}

// steadily is Index in a time that s and the string do not change. It is that
// of Rabin and Karp for a long string, for which the library's may be none.
func (f Finder) steadily(s string, from int) int {
	size := len(f.text)
	if size <= headBytes {
		if i := strings.Index(s[from:], f.text); i >= 0 {
			return from + i
		}
		return -1
	}
	const prime = 16777619
	var want, have uint64
	first := uint64(1) // what a byte counts that leaves
	for i := range size {
		want = want*prime + uint64(f.text[i])
		have = have*prime + uint64(s[from+i])
		first *= prime
	}
	for ; have != want || s[from:from+size] != f.text; from++ {
		if from+size == len(s) {
			return -1
		}
		have = have*prime + uint64(s[from+size]) - first*uint64(s[from])
	}
	return from
}

// IndexBytes is Index in bytes that nobody changes meanwhile.
func (f Finder) IndexBytes(b []byte, from int) int {
	return f.Index(reinterpret.String(b), from)
}
