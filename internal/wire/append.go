package wire

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// AppendString appends s to dst as a JSON string with its quotes. Only what
// JSON demands is escaped: quotes, backslashes and control characters below
// U+0020. Each byte that is not UTF-8 becomes U+FFFD.
//
// Escaping is most of what a large answer costs, so it goes word by word:
// eight bytes without anything to escape are copied at once, and eight bytes
// with something go through a table without branches, because where the next
// line end or quote stands is what a processor cannot predict.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	dst = slices.Grow(dst, len(s)+len(s)/8+2)
	dst = append(dst, '"')
	for len(s) > escapeBlock {
		dst = appendEscaped(dst, s[:escapeBlock])
		s = s[escapeBlock:]
	}
	return append(appendEscaped(dst, s), '"')
}

const (
	// escapeBlock is how many bytes are escaped at a time: room for the worst
	// case is made for so many only, not for the whole string.
	escapeBlock = 1 << 10
	// longestEscape is that of a control character, as \u001f.
	longestEscape = 6
)

// appendEscaped appends s without quotes. Bytes from 0x80 pass as they are.
func appendEscaped(dst []byte, s string) []byte {
	// Every write is of eight bytes at a place that at most longestEscape
	// bytes for each byte of s came before, so it stays within the capacity.
	dst = slices.Grow(dst, longestEscape*len(s)+8)
	out, n, t := dst[:cap(dst)], len(dst), &escapes
	b := reinterpret.Bytes(s)
	for ; len(b) >= 8; b = b[8:] {
		word := binary.LittleEndian.Uint64(b)
		if plain(word) {
			binary.LittleEndian.PutUint64(out[n:], word)
			n += 8
			continue
		}
		n += t[b[0]].put(out[n:])
		n += t[b[1]].put(out[n:])
		n += t[b[2]].put(out[n:])
		n += t[b[3]].put(out[n:])
		n += t[b[4]].put(out[n:])
		n += t[b[5]].put(out[n:])
		n += t[b[6]].put(out[n:])
		n += t[b[7]].put(out[n:])
	}
	for _, c := range b {
		n += t[c].put(out[n:])
	}
	return out[:n]
}

// plain reports whether none of the eight bytes in word needs an escape.
func plain(word uint64) bool {
	const ones, tops = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	control := word - ' '*ones
	quote := (word ^ '"'*ones) - ones
	backslash := (word ^ '\\'*ones) - ones
	// A byte is found when subtracting made its top bit 1 that was 0. The
	// borrow may find a byte above a found one wrongly, never a first one.
	return (control|quote|backslash)&^word&tops == 0
}

// escape is what stands for one byte in a JSON string: up to seven bytes,
// lowest first, and in the highest byte how many.
type escape uint64

// put writes eight bytes to dst and returns how many of them count.
func (e escape) put(dst []byte) int {
	binary.LittleEndian.PutUint64(dst, uint64(e))
	return int(e >> 56)
}

func newEscape(s string) escape {
	var b [8]byte
	b[7] = byte(copy(b[:7], s))
	return escape(binary.LittleEndian.Uint64(b[:]))
}

var escapes = makeEscapes()

func makeEscapes() (t [256]escape) {
	const hex = "0123456789abcdef"
	for b := range t {
		t[b] = newEscape(string([]byte{byte(b)}))
	}
	for b := range ' ' {
		t[b] = newEscape(`\u00` + string([]byte{hex[b>>4], hex[b&15]}))
	}
	t['"'], t['\\'] = newEscape(`\"`), newEscape(`\\`)
	t['\b'], t['\f'] = newEscape(`\b`), newEscape(`\f`)
	t['\n'], t['\r'], t['\t'] = newEscape(`\n`), newEscape(`\r`), newEscape(`\t`)
	return t
}
