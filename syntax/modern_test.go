//go:build cgo

package syntax

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestModern: what languages are written like today is parsed without an error
// node.
func TestModern(t *testing.T) {
	tests := []struct{ language, src string }{
		{"python", "type A[T] = list[T]\ndef f[T: int](x: T) -> T: ...\nclass C[*Ts, **P]: pass\n"},
		{"python", "match x:\n    case {\"a\": [1, *_]} | None: pass\n"},
		{"python", "t\"hello {x}\"\ntry: pass\nexcept A, B: pass\nf\"{x!r:>{w}} {'a' + \"b\"}\"\n"},
		{"rust", "fn h() -> impl Sized + use<'a, T> {\n    let Some(y) = z else { return; };\n    let x = async || 1;\n}\n"},
		{"rust", "struct A<const N: usize = 3>;\nfn q() { let s = c\"abc\"; &raw const x; if let Some(a) = b && c {} }\n"},
		{"rust", "unsafe extern \"C\" { safe fn f(); }\n"},
		{"go", "package p\n\ntype A[T any] = []T\n\nfunc f() { x := new(1); for i := range 10 { _ = i } }\n"},
		{"go", "package p\n\nfunc (l *List[E]) Map[T any](f func(E) T) T { return f(l.e) }\n"},
		{"typescript", "class A { accessor x = 1; declare z: string; m<const T>() {} static {} }\nconst z = { a: 1 } satisfies T;\n"},
		{"typescript", "import json from \"./x\" with { type: \"json\" };\nexport * as b from \"c\";\n"},
		{"javascript", "using x = f();\nawait using y = g();\nimport x from \"y\" with { type: \"json\" };\n"},
		{"java", "record P<T>(int a) { P { } }\nsealed interface S permits P {}\nclass A { void f(Object o) { switch (o) { case P(int a) when a > 1 -> {} default -> {} } } }\n"},
		{"c", "int f() { auto c = nullptr; return 0; }\n[[nodiscard]] int g(void);\nenum E : int { A };\n"},
		{"cpp", "template <typename T> concept C = requires(T t) { t.f(); };\nauto f(C auto x) -> int { if consteval {} return 0; }\n"},
		{"csharp", "class A { int[] a = []; int[] B => []; void F(string[] c) { c ??= []; c.Add(1, []); } }\n"},
		{"sql", "CREATE TABLE a (\n  id integer PRIMARY KEY AUTOINCREMENT,\n  b text NOT NULL\n);\n"},
		{"ruby", "def f = 1\ndef !=(o) = 1\ndef !~(o) = 1\ncase a\nin {x: Integer => b} then b\nend\nD = Data.define(:a) { def z = it }\n"},
		{"php", "<?php\nclass B { public string $a { get => 1; set(string $v) {} } public private(set) int $z = 1; }\n"},
		{"php", "<?php\nenum A: string { const string B = 'x'; }\n$f = strlen(...); $g = $a |> trim(...);\n"},
		{"shellscript", "x=${ ls; }\nfind . \\( -name a \\)\n"},
		{"css", ".z { & .a { color: red } :has(b) { top: 0 } }\n@scope (.card) to (.body) { img { top: 0 } }\n"},
		{"lua", "local x <const>, y <close> = 1, 2\ngoto done\n::done::\nif a then x = 1; end\n"},
		{"toml", "a = \"\\e\\x41\"\nb = { c = 1 }\n"},
	}
	for _, test := range tests {
		tree, why := (*Tree)(nil).next(t.Context(), ByName(test.language), text.Text{}, []byte(test.src))
		if tree == nil {
			t.Errorf("%s: no tree: %s", test.language, why)
			continue
		}
		if root := tree.tree.RootNode(); root.HasError() {
			t.Errorf("%s: the grammar fails on\n%s%s", test.language, test.src, root)
		}
		tree.Close()
	}
}
