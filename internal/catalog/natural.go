package catalog

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// CompareNatural orders names as people expect: without regard to case, and
// numbers in them by their value; where that leaves a tie, by their bytes.
func CompareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if isDigit(x[0]) && isDigit(y[0]) {
			var m, n string
			m, x = cutNumber(x)
			n, y = cutNumber(y)
			if c := cmp.Or(len(m)-len(n), strings.Compare(m, n)); c != 0 {
				return c
			}
			continue
		}
		r, i := foldedRune(x)
		s, j := foldedRune(y)
		if r != s {
			return int(r) - int(s)
		}
		x, y = x[i:], y[j:]
	}
	return cmp.Or(len(x)-len(y), strings.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// cutNumber takes the digits from the front of s, without leading zeros.
func cutNumber(s string) (number, rest string) {
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	return strings.TrimLeft(s[:end], "0"), s[end:]
}

func foldedRune(s string) (r rune, size int) {
	if c := s[0]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return 0x110000 + rune(s[0]), 1 // a byte that is no UTF-8: after all that is
	}
	return foldLetter(r), size
}

// foldLetter is fsys.FoldRune for what may not be dropped.
func foldLetter(r rune) rune {
	if f := fsys.FoldRune(r); f >= 0 {
		return f
	}
	return r
}
