package fsys

import (
	"strings"
	"unicode"
)

// FoldPath maps every spelling of a slash path that some file system takes
// for the same name to one: letters lose their case; each name loses a stream
// (":…"), trailing dots and blanks, which NTFS does not store, and code
// points that some file systems do not see. Paths that need none of it come back as they
// are, without a copy.
func FoldPath(path string) string {
	switch folded, plain := isFolded(path); {
	case folded:
		return path
	case plain:
		return strings.ToLower(path)
	}
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = FoldName(name)
	}
	return strings.Join(names, "/")
}

// isFolded reports whether a path needs no folding, and if it does, whether only
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

// severalLetters are characters that fold to more than one letter.
var severalLetters = strings.NewReplacer("\u00df", "ss", "\u1e9e", "ss", "\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl", "\ufb05", "st", "\ufb06", "st")

// FoldName is [FoldPath] for one name.
func FoldName(name string) string {
	folded := strings.Map(FoldRune, severalLetters.Replace(name))
	folded, _, _ = strings.Cut(folded, ":")
	folded = strings.TrimRight(folded, ". ")
	if folded == "" {
		return name // "." and names that are nothing but what is cut
	}
	return folded
}

// FoldRune returns the smallest rune that differs from r only in case, in
// lower case for ASCII; -1 for what file systems ignore.
func FoldRune(r rune) rune {
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

// isIgnorable reports whether HFS+ does not see r, or ext4 and f2fs do not in
// folders that fold case: Unicode's Default_Ignorable_Code_Point.
func isIgnorable(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r >= 0x115f && r <= 0x1160, r >= 0x17b4 && r <= 0x17b5, r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfff8,
		r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// FoldPattern folds a pattern as FoldPath folds names, leaving its syntax.
func FoldPattern(pattern string) string {
	return strings.Map(FoldRune, severalLetters.Replace(pattern))
}
