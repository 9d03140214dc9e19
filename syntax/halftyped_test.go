//go:build cgo

package syntax

import (
	"strings"
	"testing"
)

// TestHalfTyped: what is being typed hides nothing around it.
func TestHalfTyped(t *testing.T) {
	tests := []struct{ language, src, names string }{
		{"go", "package p\n\nfunc before() {\n}\n\nfunc typing(a int, b\n\ntype x struct {\n\nfunc after() {\n}\n", "before typing x after"},
		{"go", "package p\n\nfunc before() {\n}\n\nfunc typing(\n\nfunc after() {\n}\n", "before typing after"},
		{"go", "package p\n\nfunc typing() {\n\tif a {\n\nfunc after() {\n}\n", "typing after"},
		{"python", "def before():\n    pass\n\ndef typing(a, b\n\ndef after():\n    pass\n", "before typing after"},
		{"python", "class A:\n    def typing(self\n\n    def after(self):\n        pass\n", "A typing after"},
		{"javascript", "function before() {}\n\nfunction typing(a, b\n\nfunction after() {}\n", "before typing after"},
		{"python", "def a():\r    pass\rdef b():\n    pass\n", "a b"}, // a lone CR ends a line, too
		{"rust", "fn before() {}\n\nfn typing(a: i32\n\nfn after() {}\n", "before typing after"},
	}
	for _, test := range tests {
		r := Analyze(t.Context(), ByName(test.language), []byte(test.src))
		have := map[string]bool{}
		for _, d := range r.Definitions {
			have[d.Name] = true
		}
		for name := range strings.FieldsSeq(test.names) {
			if !have[name] {
				t.Errorf("%s: %s is lost in\n%s%+v", test.language, name, test.src, r.Definitions)
			}
		}
	}
}

// TestHostileTexts: what makes a grammar slow is not given to it. Without the
// guards these would take minutes.
func TestHostileTexts(t *testing.T) {
	tests := []struct{ language, src, reason string }{
		{"kotlin", strings.Repeat("\n@A", 200_000), "thousands of annotations stand in a row"},
		{"svelte", strings.Repeat("{`${\n", 1<<20), `it has thousands of "${", which may be nested`},
		{"elm", strings.Repeat("{-\n", 1<<20), `it has thousands of "{-", which may be nested`},
		{"erlang", strings.Repeat("f <- function() {\n", 100_000), `it has thousands of "{", which may be nested`},
		{"go", "x" + strings.Repeat(" ", maxGrammarBytes), "the text is larger than 12 MiB"},
		{"javascript", strings.Repeat("a(b);", maxDenseBytes), "the text is minified and larger than 1 MiB"},
		{"go", strings.Repeat("\x01\x02", 100), "the bytes are no source text"},
	}
	for _, test := range tests {
		if r := Analyze(t.Context(), ByName(test.language), []byte(test.src)); r.Reason != test.reason {
			t.Errorf("%s: by %s, because %q, not %q", test.language, r.Method, r.Reason, test.reason)
		}
	}
}
