package rpc

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
)

// str consumes the string at c.at and returns it with its quotes.
func (c *checker) str() ([]byte, *jsonrpc2.Error) {
	start := c.at
	c.at++
	for {
		c.at = skipPlain(c.data, c.at)
		switch {
		case c.at == len(c.data):
			return nil, c.syntax("a string without end")
		case c.data[c.at] == '"':
			c.at++
			return c.data[start:c.at], nil
		case c.data[c.at] != '\\':
			return nil, c.syntax("a control character in a string")
		}
		if bad := c.escape(); bad != nil {
			return nil, bad
		}
	}
}

// escape consumes the escape at c.at, or two that make a surrogate pair.
func (c *checker) escape() *jsonrpc2.Error {
	if c.at+1 == len(c.data) {
		return c.syntax("a string without end")
	}
	switch c.data[c.at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.at += 2
		return nil
	case 'u':
		return c.unicodeEscape()
	default:
		return c.syntax("an unknown escape")
	}
}

// halfPair stands in the place of an escape of half a surrogate pair: U+FFFD,
// spelt as nobody else spells it, so that who reads the text can tell.
const halfPair = `\uFfFd`

func (c *checker) unicodeEscape() *jsonrpc2.Error {
	unit, ok := unitAt(c.data, c.at)
	if !ok {
		return c.syntax("an unknown escape")
	}
	const high, low, kind = 0xD800, 0xDC00, 0xFC00
	switch second, ok := unitAt(c.data, c.at+6); {
	case unit&kind == high && ok && second&kind == low:
		c.at += 12
		return nil
	case unit&kind == high, unit&kind == low:
		copy(c.data[c.at:], halfPair)
		c.halves = true
	case string(c.data[c.at:c.at+len(halfPair)]) == halfPair:
		c.halves = true
	}
	c.at += 6
	return nil
}

// unitAt returns the UTF-16 unit that an escape \uXXXX at data[i:] stands for.
func unitAt(data []byte, i int) (unit uint16, ok bool) {
	if len(data)-i < 6 || data[i] != '\\' || data[i+1] != 'u' {
		return 0, false
	}
	for _, b := range data[i+2 : i+6] {
		switch lower := b | 0x20; {
		case b-'0' <= 9:
			unit = unit<<4 | uint16(b-'0')
		case lower-'a' <= 5:
			unit = unit<<4 | uint16(lower-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// skipPlain returns the offset of the first quote, backslash or control
// character in data[i:], and len(data) when there is none. It looks at eight
// bytes at a time: a byte of x-ones&^x has its high bit set where x has a
// zero byte, and the lowest such bit is exact.
func skipPlain(data []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(data)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, slash := w^('"'*ones), w^('\\'*ones)
		found := ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
		i++
	}
	return i
}

// text consumes a string and returns what it stands for; ok is false for
// another value, which is consumed as well.
func (c *checker) text() (s string, ok bool, bad *jsonrpc2.Error) {
	if c.peek() != '"' {
		_, bad := c.value()
		return "", false, bad
	}
	quoted, bad := c.str()
	if bad != nil {
		return "", false, bad
	}
	return unquote(quoted[1 : len(quoted)-1]), true, nil
}

// unquote decodes the inside of a string that was consumed: each escape in it
// is valid. The result shares no bytes with it.
func unquote(inside []byte) string {
	plain := skipPlain(inside, 0)
	if plain == len(inside) {
		return string(inside)
	}
	var out strings.Builder
	out.Grow(len(inside))
	for i := 0; i < len(inside); {
		out.Write(inside[i:plain])
		if i = plain; i < len(inside) {
			i += unescape(&out, inside[i:])
		}
		plain = skipPlain(inside, i)
	}
	return out.String()
}

// unescape decodes the escape that s begins with, and returns its length.
func unescape(out *strings.Builder, s []byte) int {
	switch b := s[1]; b {
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case 'n':
		out.WriteByte('\n')
	case 'r':
		out.WriteByte('\r')
	case 't':
		out.WriteByte('\t')
	case 'u':
		unit, _ := unitAt(s, 0)
		if !utf16.IsSurrogate(rune(unit)) {
			out.WriteRune(rune(unit))
			return 6
		}
		low, _ := unitAt(s, 6) // no half pair is left
		out.WriteRune(utf16.DecodeRune(rune(unit), rune(low)))
		return 12
	default:
		out.WriteByte(b)
	}
	return 2
}
