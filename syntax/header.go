package syntax

import (
	"bytes"
	"strings"
)

// headerLanguage tells C++ from C, which share the extension "h", by how a
// header begins: a line that begins as only C++ does.
func headerLanguage(head []byte) *Language {
	inComment := false
	for line := range bytes.Lines(head) {
		var code string
		code, inComment = withoutComments(string(line), inComment)
		if beginsAsCPP(strings.TrimSpace(code)) {
			return ByName("cpp")
		}
	}
	return ByName("c")
}

// withoutComments returns the code on a line, and whether a comment goes on
// behind it.
func withoutComments(line string, inComment bool) (code string, goesOn bool) {
	for {
		if inComment {
			_, after, ends := strings.Cut(line, "*/")
			if !ends {
				return code, true
			}
			line = after
		}
		before, after, begins := strings.Cut(line, "/*")
		plain, _, rest := strings.Cut(before, "//")
		code += plain
		if rest || !begins {
			return code, false
		}
		line, inComment = after, true
	}
}

func beginsAsCPP(code string) bool {
	switch word, rest := firstWord(code); word {
	case "namespace", "template", "using", "constexpr", "public", "private", "protected":
		return true
	case "class":
		return rest != "" && isNameByte(rest[0])
	case "#include": // a header of the standard library: <vector>, not <vector.h>
		return strings.HasPrefix(rest, "<") && !strings.ContainsAny(rest, "./")
	}
	return strings.Contains(code, "std::")
}

// firstWord cuts code behind its first word; "#  include" is "#include".
func firstWord(code string) (word, rest string) {
	start := 0
	for start < len(code) && (code[start] == '#' || start > 0 && code[start] == ' ' && code[0] == '#') {
		start++
	}
	end := start
	for end < len(code) && isNameByte(code[end]) {
		end++
	}
	word = code[start:end]
	if start > 0 {
		word = "#" + word
	}
	return word, strings.TrimSpace(code[end:])
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
