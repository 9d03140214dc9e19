package outline

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"
)

func TestLocate(t *testing.T) {
	long := strings.Repeat("k", maxQuery)
	for _, file := range []struct {
		language, src string
		want          map[string]string // what each path names, places divided by |
	}{
		{"json", `{"a": [1, {"b": 2}], "": {"": 3}, "0": "zero"}`, map[string]string{
			"a[1].b": `"b": 2`, "a[-1]": `{"b": 2}`, "a[-2]": "1", "a[-3]": "", "a[2]": "", "a.0": "1", "$.a[0]": "1",
			"/a/0": "1", "#/a/1/b": `"b": 2`, "a[x]": "", "a.-1": "", "0": `"0": "zero"`, "[0]": "",
			`[""]`: `"": {"": 3}`, `[''][""]`: `"": 3`, `"".""`: `"": 3`, `[]`: "", "a[": "", "a[1": "", `["a"`: "", `["a"]`: `"a": [1, {"b": 2}]`, "": "",
		}},
		{"json", `{"x.y": {"z": 1}, "x": {"y": {"z": 2}}, "xy": {"z": 3}, "a/b": {"c~d": 4}, "p]q": 5}`, map[string]string{
			"x.y.z": `"z": 1|"z": 2`, `"x.y".z`: `"z": 1`, `x.y["z"]`: `"z": 1|"z": 2`, "x": `"x": {"y": {"z": 2}}`,
			"/a~1b/c~0d": `"c~d": 4`, `["p]q"]`: `"p]q": 5`, `["p]q"`: "",
		}},
		{"json", `{"a": 1, "a": 2, "` + long + `": 3}`, map[string]string{"a": `"a": 1|"a": 2`, long: `"` + long + `": 3`, long + "k": ""}},
		{"json", `{"a": {"": {"b": 1}}}`, map[string]string{"a..b": `"b": 1`, "a..": `"": {"b": 1}`}},
		{"jsonc", "{\n  // why\n  \"a\": 1, // so\n  \"b\": [\n    // first\n    1\n  ]\n}\n", map[string]string{"a": "// why\n  \"a\": 1", "b[0]": "1"}},
		{"yaml", "a:\n  - b: 1\n\n  # two\n  - - c\n    - d\n  -\n    e: 3\nf:\n- g\n- h\ni: 1\n", map[string]string{
			"a[0]": "- b: 1\n\n  # two", "a[0].b": "b: 1", "a[1][0]": "- c", "a[1][1]": "- d", "a[1][2]": "", "a[2].e": "e: 3", "a[-1]": "-\n    e: 3",
			"f[0]": "- g", "f[1]": "- h", "f[2]": "", "i[0]": "", "f.1": "- h", "[0]": "",
		}},
		{"yaml", "a: [x,y, z]\nb: [x#1, # no, y\n  z]\nc: ['it''s, x', \"b, \\\"c\\\"\", d'e, f]\nd: [[1,2],{k: 1, l: 2},]\ne: [it, 'x']\n", map[string]string{
			"a[0]": "x", "a[1]": "y", "a[2]": "z", "a[3]": "", "b[0]": "x#1", "b[1]": "z",
			"c[0]": "'it''s, x'", "c[1]": `"b, \"c\""`, "c[2]": "d'e", "c[3]": "f", "d[0]": "[1,2]", "d[0][1]": "2", "d[1]": "{k: 1, l: 2}", "d[2]": "",
		}},
		{"yaml", "%YAML 1.2\n--- # first\n- a\n- b: {c: [1, 'x']}\n", map[string]string{"[1].b.c[1]": "'x'", "[0]": "- a"}},
		{"yaml", "a: &x !t\n  # c\n  - d\n---\nb: 1\n---\nb: 2\n", map[string]string{"a[0]": "- d", "b": "b: 1|b: 2", "b[0]": "b: 1|b: 2"}},
		{"yaml", "- a\n- b\n---\nc: 1\n", map[string]string{"[1]": "- b", "[2]": "", "[-1]": "- b"}},
		{"yaml", "a:\r\n  - b\r\n  - c\r\n", map[string]string{"a[0]": "- b", "a[1]": "- c"}},
		{"toml", "[[a]]\nb = [\"x\",[1, 2], # c\n]\n[[a]]\nb = 3\n[c.d]\ne = 1\n'f.g' = {h = 2}\n", map[string]string{
			"a[0].b[0]": `"x"`, "a[0].b[1][0]": "1", "a[0].b[1][1]": "2", "a[0].b[2]": "", "a[1].b": "b = 3", "a[-1].b": "b = 3",
			"c.d.e": "e = 1", "c.d.f.g": "'f.g' = {h = 2}",
		}},
		{"", "a: 1\n", map[string]string{"a": ""}},
		{"go", "package a\n", map[string]string{"a": ""}},
	} {
		l := syntax.Choose(file.language, "", nil)
		o := New(t.Context(), l, []byte(file.src))
		for path, want := range file.want {
			var got []string
			for _, p := range o.Locate(l, []byte(file.src), path) {
				got = append(got, file.src[p.Span.Start:p.Span.End])
			}
			if strings.Join(got, "|") != want {
				t.Errorf("%.40q in %q: %q, want %q", path, file.src, got, want)
			}
		}
	}
}

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
