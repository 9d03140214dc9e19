package syntax

import "testing"

// TestBlanks holds what grammars are shown against what they know.
func TestBlanks(t *testing.T) {
	tests := []struct{ language, src, shown string }{
		{"c", "EXPORT int f(void);", "       int f(void);"},
		{"c", "DWORD f(void);", "DWORD f(void);"},
		{"c", "HANDLE WINAPI f(void);", "       WINAPI f(void);"}, // one of the two is enough of a type
		{"c", "LOCAL(int) f(void)", "LOCAL      f(void)"},
		{"c", "struct PACKED a { };", "struct        a { };"},
		{"c", "struct PACKED a;", "struct PACKED a;"},
		{"c", "byte x ALIGNED(4);", "byte x           ;"},
		{"c", "unsigned int UINT;", "unsigned int UINT;"},
		{"c", "enum { RED };", "enum { RED };"},
		{"c", "DWORD flags : 3;", "DWORD flags : 3;"},
		{"c", "int x = (int) FOO;", "int x = (int) FOO;"},
		{"c", "// EXPORT int f();\nchar *s = \"EXPORT int f();\";", "// EXPORT int f();\nchar *s = \"EXPORT int f();\";"},
		{"c", "f(a, b) int a; char *b; { }", "f(a, b)                 { }"},
		{"c", "auto x = 1;", "int  x = 1;"},
		{"c", "#if A\nif (a) {\n#else\nif (b) {\n#endif\n}", "     \nif (a) {\n     \n        \n      \n}"},
		{"c", "#if 0\nif (a) {\n#else\nif (b) {\n#endif\n}", "     \n        \n     \nif (b) {\n      \n}"},
		{"c", "#if A\nint a;\n#else\nint b;\n#endif", "#if A\nint a;\n#else\nint b;\n#endif"},
		{"c", "#define A(x) EXPORT int \\\n  x\nint y;", "#define A(x) EXPORT int \\\n  x\nint y;"},
		{"cpp", "class API Foo FINAL : Bar { };", "class     Foo       : Bar { };"},
		{"cpp", "class A { Q_OBJECT\npublic: };", "class A {         \npublic: };"},
		{"cpp", "class FOO { FOO(int); };", "class FOO { FOO(int); };"},
		{"cpp", "void f() const NOEXCEPT { }", "void f() const          { }"},
		{"cpp", "export module a.b:c;", "                    "},
		{"cpp", "export class A { };", "       class A { };"},
		{"cpp", "auto s = R\"x(EXPORT int f();)x\";", "auto s = R\"x(EXPORT int f();)x\";"},
		{"cpp", "T (&all())[3] {", "T   all()     {"},
		{"csharp", "class A { extension(B b) { int C; } }", "class A {                  int C;   }"},
		{"csharp", "#warning do not\nclass A { }", "               \nclass A { }"},
		{"csharp", "var s = @\"\\\"; // #if\n#if A\n{\n#endif", "var s = @\"\\\"; // #if\n     \n{\n      "},
	}
	for _, test := range tests {
		src := []byte(test.src)
		blanks, _ := ByName(test.language).maskedSpans(src, nil, nil)
		if shown := string(maskOut(src, blanks)); shown != test.shown {
			t.Errorf("%s\n%q is shown as\n%q, not\n%q", test.language, src, shown, test.shown)
		}
	}
}
