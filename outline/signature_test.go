package outline

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// definition marks in src, by «», the name, and by | where the body begins, or
// none, and returns src without the marks.
func definition(kind syntax.Kind, src string) ([]byte, *syntax.Definition) {
	d := &syntax.Definition{Kind: kind}
	d.NameSpan.Start = strings.Index(src, "«")
	src = strings.Replace(src, "«", "", 1)
	d.NameSpan.End = strings.Index(src, "»")
	src = strings.Replace(src, "»", "", 1)
	d.Body = strings.Index(src, "|")
	src = strings.Replace(src, "|", "", 1)
	d.Span = text.Span{End: len(src)}
	if d.Body < 0 {
		d.Body = len(src)
	}
	d.Name = src[d.NameSpan.Start:d.NameSpan.End]
	return []byte(src), d
}

func TestSignatures(t *testing.T) {
	slashes := &syntax.Language{Comments: syntax.Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}}
	for _, c := range []struct {
		kind      syntax.Kind
		src, want string
	}{
		{syntax.Function, "func «F»(a int) error |{ return nil }", "func F(a int) error"},
		{syntax.Function, "func «F»(\n\ta int, // the first\n\tb int,\n) {|}", "func F(a int, b int,)"},
		{syntax.Method, "@Override\n  @Named(\"a)b\") public void «f»() |{}", "public void f()"},
		{syntax.Method, "[Fact, Trait(\"a\", \"]\")]\npublic void «F»() |{}", "public void F()"},
		{syntax.Function, "#[inline(always)] fn «f»() |{}", "fn f()"},
		{syntax.Interface, "public @interface «A» |{}", "public @interface A"},
		{syntax.Class, "@interface «A» |{}", "@interface A"},
		{syntax.Function, "def «f»(a, b=\"x  // y\"): # so\n  |pass", `def f(a, b="x  // y"): # so`},
		{syntax.Function, "def «f»(a) do| end", "def f(a)"},
		{syntax.Method, "def «==»(other)| end", "def ==(other)"},
		{syntax.Method, "def «==»| end", "def =="},
		{syntax.Constant, "const «table» = {\n  a: 1,\n}", "const table"},
		{syntax.Constant, "const «Limit» = 64 // so many", "const Limit = 64"},
		{syntax.Field, "private final int| «count» = 1;", "private final int count = 1"},
		{syntax.Struct, "typedef struct |{ int a; } «Pair»;", "typedef struct"},
		{syntax.Object, "\"«key»\": |{\"a\": 1}", `"key"`},
		{syntax.String, "# A  «heading»\n\ntext", "# A heading"},
		{syntax.Class, "«.a, .b» |{ color: red }", ".a, .b"},
		{syntax.Object, "[«table»]\na = 1", "[table]"},
		{syntax.Function, "int «f»(int a, http://x);", "int f(int a, http://x)"},
		{syntax.Method, "«m» /* not yet", "m"},
		{syntax.Function, "func «F»(\x80a) |{}", "func F(a)"},
		{syntax.Method, "@À1 void «f»() |{}", "void f()"},
		{syntax.Method, "@A(1)public void «f»() |{}", "public void f()"},
		{syntax.Class, "class «C»\n  extends D |{}", "class C extends D"},
		{syntax.Function, "int «f»(int a,\n  int b);", "int f(int a, int b)"},
		{syntax.Function, "/* c */ func «F»() |{}", "func F()"},
		{syntax.Function, "func «F»( /**/ a int ) |{}", "func F(a int)"},
		{syntax.Function, "func «F»(a\r\n\t\v\f b) |{}", "func F(a b)"},
		{syntax.Function, "func «F»( a [ 2 ]int ) |{}", "func F(a [2]int)"},
		{syntax.Method, "@azAZ09é.b:c_d$e(1) void «f»() |{}", "void f()"},
		{syntax.Method, "@type(int) void «f»() |{}", "void f()"},
		{syntax.Class, "@type «t» :: integer", "@type t :: integer"},
		{syntax.Class, "@type«»", ""},
		{syntax.Method, "@a(\"\\\")\", '}') void «f»() |{}", "void f()"},
		{syntax.Method, "@a(\"\n) void «f»() |{}", "void f()"},
		{syntax.Method, "@unclosed( void «f»() |{}", "@unclosed(void f()"},
		{syntax.Function, "@«»", "@"},
		{syntax.Field, "private final int |«count» = 1;", "private final int count = 1"},
		{syntax.Method, "«m»  a", "m a"},
		{syntax.Method, "«m»( a)", "m(a)"},
		{syntax.Method, "«m»[ a]", "m[a]"},
		{syntax.Method, "«m»(a )", "m(a)"},
		{syntax.Method, "«m»[a ]", "m[a]"},
	} {
		src, d := definition(c.kind, c.src)
		if have := signature(slashes, src, d, pastAttributes(src, d)); have != c.want {
			t.Errorf("%q: %q, want %q", c.src, have, c.want)
		}
	}
}

// TestPlainHeadsAreCopiedOnce: nearly all heads are as they are shown, and there
// are thousands in a file.
func TestPlainHeadsAreCopiedOnce(t *testing.T) {
	head := []byte("func (s *Store) Get(ctx context.Context, keys []string) (map[string][]byte, error)")
	l := &syntax.Language{Comments: syntax.Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}}
	if n := testing.AllocsPerRun(10, func() { collapse(l, head) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

func TestSignaturesAreShort(t *testing.T) {
	for n := range 200 {
		src, d := definition(syntax.Function, "func «F»("+strings.Repeat("é", n)+") |{}")
		s := signature(nil, src, d, 0)
		if len(s) > maxSignature || !utf8.ValidString(s) {
			t.Fatalf("%d bytes: %q", len(s), s)
		}
		if whole := strings.HasSuffix(s, ")"); whole != (len("func F()")+2*n <= maxSignature) {
			t.Fatalf("%d: %q", n, s)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		{"0123456789", "0123456789"}, {"0123456789a", "0123456…"}, {"012345éa89a", "012345…"}, {"01234é789a", "01234é…"}, {"0123   789a", "0123…"},
	} {
		if got := cut(tt.s, 10); got != tt.want {
			t.Errorf("%q is cut to %q, not %q", tt.s, got, tt.want)
		}
	}
}
