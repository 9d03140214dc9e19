package workspace

import (
	"strings"
	"unicode"
)

// foldPath maps every spelling of a slash path that some file system takes
// for the same name to one: letters lose their case; each name loses a stream
// (":…"), trailing dots and blanks, which NTFS does not store, and code
// points that HFS+ does not see. Paths that need none of it come back as they
// are, without a copy.
func foldPath(path string) string {
	switch folded, plain := isFolded(path); {
	case folded:
		return path
	case plain:
		return strings.ToLower(path)
	}
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = foldName(name)
	}
	return strings.Join(names, "/")
}

// isFolded tells whether a path needs no folding, and if it does, whether only
// its letters do, and all of them are ASCII.
func isFolded(path string) (folded, plain bool) {
	folded = true
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 0x80, c == ':':
			return false, false
		case c == '.' || c == ' ':
			if i+1 == len(path) || path[i+1] == '/' {
				return false, false
			}
		case 'A' <= c && c <= 'Z':
			folded = false
		}
	}
	return folded, true
}

func foldName(name string) string {
	folded := strings.Map(foldRune, name)
	folded, _, _ = strings.Cut(folded, ":")
	folded = strings.TrimRight(folded, ". ")
	if folded == "" {
		return name // "." and names that are nothing but what is cut
	}
	return folded
}

// foldRune returns the smallest rune that differs from r only in case, in
// lower case for ASCII; -1 for what HFS+ ignores.
func foldRune(r rune) rune {
	if r < 0x80 {
		return unicode.ToLower(r)
	}
	if isIgnorable(r) {
		return -1
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

func isIgnorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
		r >= 0x206a && r <= 0x206f || r == 0xfeff
}
