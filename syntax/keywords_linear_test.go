package syntax

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestKeywordsAreLinear holds that the work grows no faster than the text, for
// texts made to defeat that: nested, unclosed, in one line, without a line.
func TestKeywordsAreLinear(t *testing.T) {
	units := []string{
		"func f() {", "{", "(", "[", "}", ")", "\"", "'", "`", "/*", "*/", "//", "--", "{-", "<<EOF\n", "<<EOF\nEOF ", "$a$", "\\", "\\\n",
		"typedef struct {", "namespace {\n", "class X {", "class X;", "struct x {", "public ", "@a(", "x(", "x(){}", "x(a){b(c){", "int f(int x);",
		"<a>", "<a id='x'>", "</a>", "<!--", "# x\n", "a\n===\n", "x:\n", "x: 1\n", "\"k\": {\n", "const x = ", "impl ", "=> ", ";", "template<",
		"a.b.", "a", " ", "\t", "\n", "\r", "\r\n", "operator", "def f\n", "end\n", "(defn f", "x = 1\n", "f :: a -> b\n", "f x\n", "// c\n", "é", "\x00",
		"a<", "a>", "::", "[[", "]]", "#define x \\\n", "=", ",", "get x", "type t = ", "`f` ", "\\section{", "module M\n", "\"\n", "'\n", "[x]\n", "- a: b\n",
		"=pod\n", "\"\"\"\n", "r#\"", "R\"x(", "@\"", "x -> ", "| ", "\nx <- function(",
	}
	size := testscale.Of(4000, 800)
	for _, name := range everyDialect() {
		for _, unit := range units {
			once, twice := stepsOf(name, strings.Repeat(unit, size/len(unit))), stepsOf(name, strings.Repeat(unit, 4*size/len(unit)))
			if twice > 5*once+size {
				t.Errorf("%q in %q: %d steps for %d bytes, %d for four times as many", unit, name, once, size, twice)
			}
		}
	}
}

// TestNestingHasABound holds that definitions deeper within each other than
// anybody writes take no memory without bound.
func TestNestingHasABound(t *testing.T) {
	for name, unit := range map[string]string{"go": "func f() {", "javascript": "x(a){"} {
		src := []byte(strings.Repeat(unit, 3*maxOpen))
		s := newScanner(ByName(name), src, text.Span{End: len(src)})
		s.scan()
		if len(s.open) > maxOpen || len(s.around) > maxOpen {
			t.Errorf("%s: %d are open", name, len(s.open))
		}
		checkResult(t, src, Result{Definitions: s.finish()})
	}
}

func stepsOf(name, src string) int {
	s := newScanner(ByName(name), []byte(src), text.Span{End: len(src)})
	s.lexicon = lexicons()[name]()
	s.scan()
	s.finish()
	return s.steps
}

// TestManyDefinitions holds that no more are told than there may be.
func TestManyDefinitions(t *testing.T) {
	src := []byte(strings.Repeat("func f() {\n}\n", maxDefinitions+1000))
	if found := keywordDefinitions(ByName("go"), src, text.Span{End: len(src)}); len(found) != maxDefinitions {
		t.Errorf("%d definitions", len(found))
	}
}
