package judge

import (
	"slices"
	"testing"
)

// TestCompare lets a judge that is wrong in each way find fault with the
// outline of a small file, so that the comparison is known to see it.
func TestCompare(t *testing.T) {
	f := &file{language: "go", name: "go/x.go", text: []byte("package x\n\n// A is.\ntype A struct{}\n\nfunc (a A) b() {\n}\n\nfunc c() {\n}\n")}
	right := []item{
		{Name: "A", Class: typ, Line: 4, End: 4, Containers: []string{""}},
		{Name: "b", Class: function, Line: 6, End: 7, Containers: []string{"A"}},
		{Name: "c", Class: function, Line: 9, End: 10, Containers: []string{""}},
	}
	for _, c := range []struct {
		what   string
		change func(items []item) []item
	}{
		{"", func(items []item) []item { return items }},
		{"missed", func(items []item) []item { return append(items, item{Name: "d", Class: function, Line: 9}) }},
		{"missed", func(items []item) []item { return append(items, item{Name: "c", Class: typ, Line: 9}) }},
		{"invented", func(items []item) []item { return items[:2] }},
		{"start", func(items []item) []item { items[2].Line = 10; return items }},
		{"start", func(items []item) []item { items[2].Start = 8; return items }},
		{"end", func(items []item) []item { items[1].End = 6; return items }},
		{"container", func(items []item) []item { items[1].Containers = []string{""}; return items }},
		{"", func(items []item) []item { items[1].Containers = nil; return items }},
		{"", func(items []item) []item {
			return append(items, item{Name: "d", Class: function, Line: 9, Optional: true})
		}},
	} {
		got := compare(t.Context(), f, c.change(slices.Clone(right)), &faultList{})
		for _, what := range whats {
			if want := btoi(what == c.what); got.unlike[what] != want {
				t.Errorf("expected %q, found %v", c.what, got.unlikeness)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestTextOfAnother(t *testing.T) {
	for _, c := range []struct{ language, above, want string }{
		{"go", "// F is; so.\nfunc ", ""},
		{"go", "}\nfunc ", "}"},
		{"java", "@A({1, 2})\n@B(x = \"a\")\npublic int ", ""},
		{"java", "int a;\nint ", "int a;"},
		{"cpp", "template <typename T, int N = 3>\nstatic T ", ""},
		{"cpp", "};\nT ", "}"},
		{"c", "typedef struct {\n  int a;\n} ", ""},
		{"python", "# one; two\n@wraps(f)\nasync def ", ""},
		{"php", "# a {\n#[Attribute]\n/* ; */ function ", ""},
		{"javascript", "/** @return {x} */\nexport const ", ""},
	} {
		if got := textOfAnother(c.above, c.language); got != c.want {
			t.Errorf("%s: %q has %q, expected %q", c.language, c.above, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"a::b": "b", "ns::A<T::U>::B<V>": "B", "A\\B\\C": "C", "pkg.Type": "Type", "": "", "x": "x", "'quoted'": "quoted", "operator ==": "operator==",
	} {
		if got := lastPart(name); got != want {
			t.Errorf("the last part of %q is %q, expected %q", name, got, want)
		}
	}
	if !same("operator ()", "operator()") || !same("r#try", "try") || same("a", "b") {
		t.Error("names are compared by what they say")
	}
}

func TestRustContainers(t *testing.T) {
	lines := newLineTable([]byte(`impl<'a, T, const N: usize> Iterator for &'a mut [T; N]
where
    T: Copy,
{
    fn next(&mut self) -> Option<T> {
        fn inner() {}
    }
}
impl<F: Fn() -> u8> fmt::Display for Wrapper<F> {
    fn fmt(&self) {}
}
pub(crate) mod tests {
    unsafe impl Node {
        fn new() -> Self {}
    }
}
fn free() {}
`))
	for line, want := range map[int]string{5: "[T; N]", 6: "next", 10: "Wrapper", 13: "tests", 14: "Node", 17: ""} {
		if got := rustContainers(lines, line); !slices.Contains(got, want) {
			t.Errorf("line %d is in %q, expected %q", line, got, want)
		}
	}
}
