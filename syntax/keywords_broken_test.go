package syntax

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestHalfTypedCode holds that what is being typed spoils nothing behind it:
// after a function that is broken in one way or another, the next is found, at
// the top again.
func TestHalfTypedCode(t *testing.T) {
	texts := map[string]string{ // HERE is where something is being typed
		"go":          "func a() {\n\tHERE\n}\n\nfunc b() {\n\treturn\n}\n",
		"c":           "int a(void) {\n    HERE\n}\n\nint b(void)\n{\n    return 1;\n}\n",
		"cpp":         "void a() {\n    HERE\n}\n\nstd::string b() {\n    return \"\";\n}\n",
		"java":        "class X {\n    void a() {\n        HERE\n    }\n\n    int b() {\n        return 1;\n    }\n}\n",
		"javascript":  "function a() {\n  HERE\n}\n\nfunction b() {\n  return 1;\n}\n",
		"typescript":  "class X {\n  a(): void {\n    HERE\n  }\n\n  b(): number {\n    return 1;\n  }\n}\n",
		"rust":        "fn a() {\n    HERE\n}\n\npub fn b() -> u8 {\n    1\n}\n",
		"python":      "def a():\n    HERE\n\ndef b():\n    return 1\n",
		"ruby":        "def a\n  HERE\nend\n\ndef b\n  1\nend\n",
		"lua":         "function a()\n  HERE\nend\n\nfunction b()\n  return 1\nend\n",
		"zig":         "fn a() void {\n    HERE\n}\n\nfn b() u8 {\n    return 1;\n}\n",
		"dart":        "void a() {\n  HERE\n}\n\nint b() {\n  return 1;\n}\n",
		"haskell":     "a :: Int -> Int\na x = HERE\n\nb :: Int -> Int\nb x = x\n",
		"shellscript": "a() {\n  HERE\n}\n\nb() {\n  echo 1\n}\n",
		"php":         "<?php\nfunction a() {\n    HERE\n}\n\nfunction b() {\n    return 1;\n}\n",
		"kotlin":      "fun a() {\n    HERE\n}\n\nfun b(): Int {\n    return 1\n}\n",
		"clojure":     "(defn a []\n  HERE)\n\n(defn b []\n  1)\n",
		"r":           "a <- function() {\n  HERE\n}\n\nb <- function() {\n  1\n}\n",
		"perl":        "sub a {\n    HERE\n}\n\nsub b {\n    return 1;\n}\n",
	}
	typed := []string{"x", "if x {", "foo(", "foo(bar, [", "}", "\"half", "if (x) {\n", ")"}
	for name, source := range texts {
		for _, here := range typed {
			src := []byte(strings.Replace(source, "HERE", here, 1))
			found := keywordDefinitions(ByName(name), src, text.Span{End: len(src)})
			checkResult(t, src, Result{Definitions: found})
			want := "\n" + wantedLine(string(src))
			if got := listed(src, found) + "\n"; !strings.Contains(got, want+"\n") && !strings.Contains(got, want+" in X\n") {
				t.Errorf("%s: after %q: %q is missing in %s", name, here, want, got)
			}
		}
	}
}

// wantedLine tells of the last definition in src, b: where it is.
func wantedLine(src string) string {
	lines := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
	last := len(lines)
	if lines[last-1] == "}" && strings.HasPrefix(lines[last-2], " ") && strings.HasSuffix(lines[last-2], "}") {
		last-- // the class's
	}
	first := last
	for lines[first-1] != "" {
		first--
	}
	kind := "function"
	if strings.HasPrefix(src, "class") {
		kind = "method"
	}
	return string(listedLine(first+1, last)) + " " + kind + " b"
}

func listedLine(first, last int) []byte {
	b := []byte{}
	b = appendNumber(b, first)
	return appendNumber(append(b, '-'), last)
}

func appendNumber(b []byte, n int) []byte {
	if n >= 10 {
		b = appendNumber(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

// TestLeadStart holds where the comments above a definition begin.
func TestLeadStart(t *testing.T) {
	c := Comments{Line: []string{"//", "#"}, Block: [][2]string{{"/*", "*/"}, {`"""`, `"""`}}}
	tests := []string{ // "|" is where the lead begins, "^" where the head does
		"|^f",
		"x\n|// a\n// b\n^f",
		"x\n// a\n\n|// b\n\t^f",
		"// a\n\n|^f",
		"x // a\n|^f",
		"|/* a */\n^f",
		"x\n|/* a\n\n b */\n^f",
		"x /* a\n b */\n|^f",
		"/* a */ x /* b */\n|^f",
		"|/** a */ ^f",
		"x = 1; |^f",
		"x(/* a */ |^f",
		"|// a\n/* b\n c */\n# d\n^f",
		"#!/bin/sh\n|^f",
		"#!/bin/sh\n|# a\n^f",
		"*/\n|^f",
		"/* a */ b */\n|^f",
		"x\n|\"\"\"\na\n\"\"\"\n^f",
		"x\n|\"\"\"a\"\"\"\n^f",
		"x\r\n|// a\r\n  // b\r\n^f",
		"x\r|// a\r^f",
		"x\r\n// a\r\n\r\n|^f",
		"|// a\n\f^f",
	}
	for _, tt := range tests {
		want := strings.Index(tt, "|")
		src := strings.Replace(tt, "|", "", 1)
		head := strings.Index(src, "^")
		src = strings.Replace(src, "^", "", 1)
		if got := leadStart([]byte(src), head, c); got != want {
			t.Errorf("%q: the lead begins at %d, want %d", tt, got, want)
		}
	}
}
