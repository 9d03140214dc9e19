package search

import (
	"strings"
	"unsafe"
)

// Finder looks for one string in long texts. It looks for the string's rarest
// byte first, which a processor does several times faster than it tells
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
// as many bytes as bytesPerMiss.
const (
	freeMisses   = 16
	bytesPerMiss = 32
)

// Index returns the offset of the first occurrence in s that begins at from or
// behind, -1 when there is none.
func (f Finder) Index(s string, from int) int {
	rare := f.text[f.rare]
	at := from + f.rare
	for misses := 0; at <= len(s)-(len(f.text)-f.rare); misses++ {
		if misses > freeMisses+(at-from)/bytesPerMiss {
			from = at - f.rare
			if i := strings.Index(s[from:], f.text); i >= 0 {
				return from + i
			}
			return -1
		}
		i := strings.IndexByte(s[at:], rare)
		if i < 0 {
			return -1
		}
		if begin := at + i - f.rare; strings.HasPrefix(s[begin:], f.text) {
			return begin
		}
		at += i + 1
	}
	return -1
}

// IndexBytes is Index in bytes that nobody changes meanwhile.
func (f Finder) IndexBytes(b []byte, from int) int {
	return f.Index(unsafe.String(unsafe.SliceData(b), len(b)), from)
}
