package pathmatch

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob, takes, not string
	}{
		{"*.go", "a.go src/b.go .go", "a.gox go src/a.go/b"},
		{"main.go", "main.go cmd/main.go", "xmain.go main.go/x"},
		{"/main.go", "main.go", "cmd/main.go"},
		{"./*.go", "main.go", "cmd/main.go"},
		{"src/*.go", "src/a.go", "a.go src/x/a.go x/src/a.go"},
		{"src/", "src/a src/b/c", "srcs/a x/src/a"},
		{"src/**/*.{ts,tsx}", "src/a.ts src/x/y/b.tsx", "src/a.tsy a.ts"},
		{"**/test/**", "test/a x/test/b/c", "tests/a"},
		{"**", "a a/b/.c", ""},
		{"{src,lib}/*.c", "src/a.c lib/b.c", "a.c src/x/a.c"},
		{"{*.md,docs/**}", "a.md x/b.md docs/c.txt", "x/docs/c.txt"},
		{"[a-c]?.txt", "b1.txt x/cc.txt", "d1.txt b.txt"},
		{`\*.go`, "*.go x/*.go", "a.go"},
		{"a*a", "aa aba", "a"},
		{"é?", "éa x/éé", "é e1"},
		{"{a}{b}", "ab x/ab", "a b"},
	} {
		g, err := CompileGlob(c.glob)
		if err != nil {
			t.Errorf("%s: %v", c.glob, err)
			continue
		}
		for rel := range strings.FieldsSeq(c.takes) {
			if !g.Match(rel) {
				t.Errorf("%s does not take %s", c.glob, rel)
			}
		}
		for rel := range strings.FieldsSeq(c.not) {
			if g.Match(rel) {
				t.Errorf("%s takes %s", c.glob, rel)
			}
		}
	}
}

func TestBadGlobs(t *testing.T) {
	for glob, position := range map[string]int{
		"": 0, "a[b": 1, "a[]": 1, "a{b,c": 1, "ab}": 2, `ab\`: 2, "a{b,{c}": 1, "a\x00": 1,
		"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}": 0, strings.Repeat("a", 1025): 1024,
	} {
		_, err := CompileGlob(glob)
		e := fault.From(err)
		if e == nil || e.Kind != fault.InvalidPattern || e.Details["position"] != position || e.Hint == "" {
			t.Errorf("%q: %#v", glob, e)
		}
	}
}

// TestGlobAgainstDoublestar holds what is done for speed against the library
// alone.
func TestGlobAgainstDoublestar(t *testing.T) {
	parts := []string{"a", "b", "ab", "*", "**", "?", "/", "/", "{a,bc}", "[ab]", "[!a]", `\*`, "**/", "/**"}
	names := []string{"a", "b", "ab", "*", ".a", "c", "/", "/"}
	random := func(from []string) string {
		var s strings.Builder
		for range 1 + rand.IntN(6) {
			s.WriteString(from[rand.IntN(len(from))])
		}
		return s.String()
	}
	for range 50000 {
		pattern, rel := random(parts), strings.Trim(strings.ReplaceAll(random(names), "//", "/"), "/")
		if strings.Contains(pattern, "//") || strings.HasPrefix(pattern, "/") || strings.HasSuffix(pattern, "/") ||
			rel == "" || strings.Contains(rel, "//") {
			continue
		}
		g, err := CompileGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		want := doublestar.MatchUnvalidated(pattern, rel)
		if !strings.Contains(pattern, "/") {
			want = doublestar.MatchUnvalidated(pattern, rel[strings.LastIndexByte(rel, '/')+1:])
		}
		if got := g.Match(rel); got != want {
			t.Fatalf("%q on %q: %v, the library says %v", pattern, rel, got, want)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/*.{ts,tsx}", "src/a/b.ts")
	f.Add("{[a,b]}", "a")
	f.Fuzz(func(t *testing.T, pattern, rel string) {
		g, err := CompileGlob(pattern)
		if err == nil {
			g.Match(rel)
		} else if fault.KindOf(err) != fault.InvalidPattern {
			t.Error(err)
		}
	})
}
