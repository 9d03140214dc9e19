package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// insensitive reports whether upper and lower case are the same to p.
func (p Pattern) insensitive() bool {
	switch p.Case {
	case CaseSensitive:
		return false
	case CaseInsensitive:
		return true
	}
	if p.Literal {
		return strings.IndexFunc(p.Text, unicode.IsUpper) < 0
	}
	literal, upper := literalsOf(p.Text)
	return literal && !upper
}

// literalsOf reports whether a regular expression holds literal characters, and
// upper-case ones among them; ends of ranges are such, names of classes,
// groups and flags are not. A pattern of classes alone keeps its case: \p{Lu}
// would match all letters otherwise.
func literalsOf(pattern string) (literal, upper bool) {
	see := func(r rune) {
		literal = true
		upper = upper || unicode.IsUpper(r)
	}
	for s := pattern; s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case strings.HasPrefix(s, `\Q`):
			quoted, _, _ := strings.Cut(s[2:], `\E`)
			for _, r := range quoted {
				see(r)
			}
			size = min(len(s), 2+len(quoted)+2)
		case r == '\\':
			var escaped rune
			if escaped, size = escape(s); escaped >= 0 {
				see(escaped)
			}
		case strings.HasPrefix(s, "(?"):
			size = groupHead(s)
		case strings.HasPrefix(s, "[:") && strings.Contains(s, ":]"):
			size = strings.Index(s, ":]") + 2
		case r == '{':
			size += len(s[1:]) - len(strings.TrimLeft(s[1:], "0123456789,")) // a repetition's counts
		case strings.ContainsRune(".^$*+?|()[]{}", r):
		default:
			see(r)
		}
		s = s[size:]
	}
	return literal, upper
}

// escape reads the escape sequence at the start of s. It returns the
// character that it stands for, -1 for a class or an assertion, and its size
// in bytes.
func escape(s string) (r rune, size int) {
	if len(s) == 1 {
		return -1, 1
	}
	r, size = utf8.DecodeRuneInString(s[1:])
	size++
	switch r {
	case 'p', 'P':
		return -1, size + classSize(s[size:])
	case 'x':
		n := classSize(s[size:])
		if !strings.HasPrefix(s[size:], "{") {
			n = min(2, len(s)-size)
		}
		return hexRune(s[size : size+n]), size + n
	case 'A', 'b', 'B', 'C', 'd', 'D', 's', 'S', 'w', 'W', 'z':
		return -1, size
	}
	return r, size
}

// classSize is the size of the name of a class: one letter, or braces.
func classSize(s string) int {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexByte(s, '}'); end >= 0 {
			return end + 1
		}
	}
	return min(1, len(s))
}

func hexRune(digits string) rune {
	var r rune
	for _, d := range strings.ToLower(digits) {
		if i := strings.IndexRune("0123456789abcdef", d); i >= 0 && r <= unicode.MaxRune {
			r = r<<4 | rune(i)
		}
	}
	return r
}

// groupHead is the size of the flags or the name that a group begins with.
func groupHead(s string) int {
	if strings.HasPrefix(s, "(?P<") || strings.HasPrefix(s, "(?<") {
		if end := strings.IndexByte(s, '>'); end >= 0 {
			return end + 1
		}
	}
	if end := strings.IndexAny(s, ":)"); end >= 0 {
		return end + 1
	}
	return len(s)
}
