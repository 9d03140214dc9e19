package outline

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// FuzzLocate: any path in any text gives places within it, or none.
func FuzzLocate(f *testing.F) {
	for _, seed := range []struct{ language, src, path string }{
		{"json", `{"a": [1, {"b": 2}]}`, "a[1].b"},
		{"json", `{"a`, `a["x`},
		{"yaml", "a:\n  - b: 1\n  - - c\n    - d\n", "a[1][0]"},
		{"yaml", "- a\n- b: {c: [1, 'x']}\n", "[1].b.c[1]"},
		{"yaml", "a: &x !t\n  # c\n  - '", "a[0]"},
		{"toml", "[[a]]\nb = [\"x\", [1, 2], # c\n]\n[[a]]\n", "a[0].b[1][0]"},
		{"toml", "'a.b' = {c = 1}", "/a.b/c"},
	} {
		f.Add(seed.language, seed.src, seed.path)
	}
	f.Fuzz(func(t *testing.T, language, src, path string) {
		l := syntax.Choose(language, "", nil)
		o := New(t.Context(), l, []byte(src))
		for _, p := range o.Locate(l, []byte(src), path) {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(src) {
				t.Fatalf("%q in %q: %v", path, src, p.Span)
			}
		}
	})
}
