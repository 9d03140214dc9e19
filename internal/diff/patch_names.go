package diff

import (
	"slices"
	"strings"
)

const devNull = "/dev/null"

// fileNames is what a patch calls a file, as it stands there.
type fileNames struct {
	git      string // of "diff --git", both
	old, new string // of "---" and "+++", times and all
	from, to string // of git's "rename"
}

// resolve gives the file its path, and its operation where only the names say
// that.
func (n fileNames) resolve(f *FilePatch) error {
	if f.Op == PatchMove {
		f.Path, f.To = unquote(n.from), unquote(n.to)
		return nil
	}
	was, is := bareName(n.old), bareName(n.new)
	switch {
	case was == devNull && is == devNull:
		return badPatch(f.Line, "both names are /dev/null")
	case was == devNull, f.Op == PatchUpdate && strings.HasPrefix(afterTab(n.old), "1970-01-01 ") && f.isWhole():
		f.Op = PatchAdd
	case is == devNull, f.Op == PatchUpdate && strings.HasPrefix(afterTab(n.new), "1970-01-01 ") && f.leavesNothing():
		f.Op = PatchDelete
	}
	if name := splitGit(n.git); name != "" {
		f.Path = name // as git has it for one file: whatever the prefixes, they are told apart
		return nil
	}
	switch {
	case was == "" || was == devNull:
		f.Path = strings.TrimPrefix(is, "b/")
	case is == "" || is == devNull:
		f.Path = strings.TrimPrefix(was, "a/")
	default:
		if f.Path = commonName(was, is); f.Path == "" {
			return badPatch(f.Line, "the names %q and %q are of two files", was, is).
				Advise(`Name the same file twice; to move it add "rename from" and "rename to", or use "*** Move to: PATH".`)
		}
	}
	return nil
}

// isWhole tells of a single hunk that begins a file, leavesNothing of hunks
// that leave none of it.
func (f *FilePatch) isWhole() bool { return len(f.Hunks) == 1 && f.Hunks[0].old == 0 }
func (f *FilePatch) leavesNothing() bool {
	return len(f.Hunks) == 1 && f.Hunks[0].new == 0
}

// maxNames is how long two names may be together, in bytes.
const maxNames = 16 << 10

// splitGit returns the name in what follows "diff --git", which has it twice
// with prefixes that nobody knows; "" for two different names.
func splitGit(both string) string {
	if strings.HasPrefix(both, `"`) || strings.HasSuffix(both, `"`) {
		first, rest := both, ""
		if strings.HasPrefix(both, `"`) {
			n := quotedLen(both)
			first, rest = both[:n], strings.TrimLeft(both[n:], " ")
		} else if before, after, ok := strings.Cut(both, ` "`); ok {
			first, rest = before, `"`+after
		}
		return commonName(unquote(first), unquote(rest))
	}
	if len(both) > maxNames {
		return ""
	}
	// Names may have blanks: where it is divided, both halves are one name.
	for i := range both {
		if both[i] != ' ' {
			continue
		}
		if name := commonName(both[:i], both[i+1:]); name != "" {
			return name
		}
	}
	return ""
}

// commonName returns what two names have in common: all, or all but a first
// folder, as git and diff -r put one in front; "" for nothing.
func commonName(a, b string) string {
	if a == b {
		return a
	}
	_, restA, okA := strings.Cut(a, "/")
	_, restB, okB := strings.Cut(b, "/")
	switch {
	case okA && okB && restA == restB:
		return restA
	case okA && restA == b && strings.HasPrefix(a, "a/"):
		return b
	case okB && restB == a && strings.HasPrefix(b, "b/"):
		return a
	case strings.HasPrefix(a, b) && isKept(a[len(b):]):
		return b
	case strings.HasPrefix(b, a) && isKept(b[len(a):]):
		return a
	}
	return ""
}

// isKept tells of what people put behind the name of the file they keep, or
// make, beside the one they mean.
func isKept(suffix string) bool {
	return slices.Contains([]string{"~", ".orig", ".old", ".bak", ".new"}, suffix)
}

// bareName returns the name of a "---" or "+++" line, without the time that a
// tab divides from it.
func bareName(s string) string {
	if strings.HasPrefix(s, `"`) {
		return unquote(s[:quotedLen(s)])
	}
	name, _, _ := strings.Cut(s, "\t")
	return strings.TrimRight(name, " ")
}

func afterTab(s string) string {
	_, rest, _ := strings.Cut(s, "\t")
	return rest
}

// quotedLen returns how many bytes of s the quoted name takes that it begins
// with.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// unquote undoes git's quoting of names, which is that of C. Other names are
// as they stand.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	const plain = "abfnrtv"
	const meant = "\a\b\f\n\r\t\v"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if k := strings.IndexByte(plain, s[i]); k >= 0 {
			b.WriteByte(meant[k])
			continue
		}
		n, digits := 0, 0
		for ; digits < 3 && i+digits < len(s) && '0' <= s[i+digits] && s[i+digits] <= '7'; digits++ {
			n = n*8 + int(s[i+digits]-'0')
		}
		if digits == 0 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteByte(byte(n))
		i += digits - 1
	}
	return b.String()
}
