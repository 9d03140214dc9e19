package outline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func in(budget int) Options { return Options{Budget: budget, Hint: "how"} }

func TestRender(t *testing.T) {
	o := parse(t, `
1-1 constant Limit
2-9 class Store
	3-3 field size
	4-6 method Get
		5-5 function inner
10-10 function New`)
	for _, c := range []struct {
		budget int
		style  Style
		want   string
	}{
		{1000, Brief, `
1 constant Limit()
2 class Store()
  3 field size()
  4 method Get()
    5 function inner()
10 function New()`},
		{140, Names, `
constants Limit
functions New
class Store:2: Get …
… 2 more; how`},
		{60, Signatures, `
2 class Store()
10 function New()
… 4 more; how`},
		{1000, Names, `
constants Limit
functions New
class Store:2: Get; fields size
… 1 more; how`},
		{75, Names, `
classes Store
functions New
… 4 more; how`},
		{20, Brief, ""},
		{0, Brief, ""},
	} {
		opt := in(c.budget)
		opt.Style = c.style
		if have, _ := o.Render(o.All(), opt); have != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("in %d bytes:\n%s\nwant:%s", c.budget, have, c.want)
		}
	}
}

// TestNames: what is at the top stands in a line for each kind, what a container
// holds in a line of its own.
func TestNames(t *testing.T) {
	for _, c := range []struct{ drawing, want string }{
		{`
1-1 function main
2-2 variable count
3-4 struct conn
	4-4 field rwc
5-6 method conn:serve
7-8 method server:serve
9-9 function init`, `
functions main init
variables count
struct conn:3: serve; fields rwc
server: serve`},
		{`
1-2 class A
	1-1 method f
	1-1 field x
	2-2 method f
	2-2 constructor A
3-3 function g
4-4 function g
5-5 function g`, "functions g×3\nclass A:1: f×2 A; fields x"},
		{`
1-9 namespace n
	2-8 class A
		3-7 class B
			4-4 method f
			5-5 method g`, "namespace n:1\nclass A:2\nclass A.B:3: f g"},
		{`
1-9 object a
	2-3 object b
		3-3 key c
	4-4 array d
10-10 key e`, "e\na:1: d\na/b:2: c"},
		{`
1-3 enum E
	2-2 enummember A
	3-3 enummember B
4-4 enum F`, "enums F\nenum E:1: A B"},
	} {
		o := parse(t, c.drawing)
		opt := in(1000)
		opt.Style = Names
		if have, shown := o.Render(o.All(), opt); have != strings.TrimPrefix(c.want, "\n") || len(shown) != len(o.Symbols) {
			t.Errorf("%d of %d shown:\n%s\nwant:\n%s", len(shown), len(o.Symbols), have, c.want)
		}
	}
}

// TestNamesOfOddContainers: what has no name is no container, names that blanks
// divide are quoted, and what belongs to something beside its parent stands
// there.
func TestNamesOfOddContainers(t *testing.T) {
	o := parse(t, "1-3 struct A\n\t2-3 struct B\n\t\t3-3 field x\n4-6 object impl\n\t5-5 method show\n7-7 class C")
	o.Symbols[1].Name, o.Symbols[2].Container = "", ""
	o.Symbols[3].Name, o.Symbols[4].Container, o.Symbols[5].Name = "impl Show for A", "A", "a, b"
	opt := in(1000)
	opt.Style = Names
	want := "\"impl Show for A\"\nclasses \"a, b\"\nstruct A:1: show; structs \"\"; fields x"
	if have, _ := o.Render(o.All(), opt); have != want {
		t.Errorf("have:\n%s\nwant:\n%s", have, want)
	}
}

// TestNamesWithoutTheirContainers: a container that was not asked for is named
// all the same.
func TestNamesWithoutTheirContainers(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-8 class B\n\t\t3-4 method f\n10-10 function g")
	for _, tt := range []struct {
		symbols      []int
		heads, brief string
	}{
		{[]int{1, 2, 3}, "2 class B() (in A)\n  3 method f()\n10 function g()", "functions g\nclass A.B:2: f"},
		{[]int{2}, "3 method f() (in A.B)", "A.B: f"},
		{[]int{0, 2}, "1 class A()\n  3 method f() (in A.B)", "classes A\nA.B: f"},
	} {
		if got, _ := o.Render(tt.symbols, in(1000)); got != tt.heads {
			t.Errorf("%v:\n%s\nwant:\n%s", tt.symbols, got, tt.heads)
		}
		opt := in(1000)
		opt.Style = Names
		if got, _ := o.Render(tt.symbols, opt); got != tt.brief {
			t.Errorf("%v:\n%s\nwant:\n%s", tt.symbols, got, tt.brief)
		}
	}
}

// TestWhatIsCut: what is used most comes first, then what other files see, then
// what is largest; methods outside of their types come after all that is not.
func TestWhatIsCut(t *testing.T) {
	o := parse(t, "1-2 function small\n3-9 function large\n10-11 function Seen\n12-12 function Used\n13-99 method T:Huge\n100-101 variable Set")
	o.Language = "go"
	uses := func(name string) int {
		if name == "Used" {
			return 3
		}
		return 0
	}
	for n, want := range []string{"", "Used@12", "Seen@10 Used@12", "large@3 Seen@10 Used@12", "small@1 large@3 Seen@10 Used@12",
		"small@1 large@3 Seen@10 Used@12 Set@100"} {
		shown := o.ranked(o.All(), uses)[:n]
		slices.Sort(shown)
		if have := o.names(shown); have != want {
			t.Errorf("%d: %q, want %q", n, have, want)
		}
	}
}

func TestIsSeen(t *testing.T) {
	for _, c := range []struct {
		language, signature, name, container string
		want                                 bool
	}{
		{"go", "func F()", "F", "", true}, {"go", "func f()", "f", "", false}, {"go", "func (t *t) F()", "F", "t", false},
		{"c", "static int f(void)", "f", "", false}, {"c", "int f(void)", "f", "", true},
		{"rust", "pub(crate) fn f()", "f", "", true}, {"rust", "fn f()", "f", "", false},
		{"typescript", "export default class A", "A", "", true}, {"typescript", "class A", "A", "", false},
		{"python", "def _f()", "_f", "", false}, {"python", "def __init__(self)", "__init__", "A", true},
		{"java", "private int f()", "f", "A", false}, {"java", "int f()", "f", "A", true}, {"kotlin", "fun private()", "private", "", true},
	} {
		o := &Outline{Language: c.language, Symbols: []Symbol{{Name: c.name, Container: c.container, Signature: c.signature, Parent: -1}}}
		if got := o.isSeen(0); got != c.want {
			t.Errorf("%s: %q is seen: %t", c.language, c.signature, got)
		}
	}
}

func TestUpper(t *testing.T) {
	o := parse(t, "1-9 namespace n\n\t2-8 class A\n\t\t3-3 field x\n\t\t4-4 method f\n\t9-9 constant c\n10-10 method B:g\n11-11 variable v")
	for layers, want := range []string{
		"n@1 n.A@2", "n@1 n.A@2", "n@1 n.A@2 n.c@9 v@11", "n@1 n.A@2 A.f@4 n.c@9 B.g@10 v@11", "n@1 n.A@2 A.x@3 A.f@4 n.c@9 B.g@10 v@11",
	} {
		if have := o.names(o.Upper(o.All(), layers)); have != want {
			t.Errorf("%d layers: %q, want %q", layers, have, want)
		}
	}
	if have := o.names(o.Upper([]int{2, 3, 5}, 1)); have != "A.f@4 B.g@10" {
		t.Errorf("without the first layers: %q", have)
	}
}

func TestPaths(t *testing.T) {
	o := parse(t, "1-9 object web\n\t2-3 object ports\n\t\t3-3 key http\n10-19 object db\n\t12-13 object ports\n\t\t13-13 key http\n\t14-14 key name\n20-20 key name")
	want := "web/ports/http db/ports/http db/name name"
	if have := strings.Join(o.Paths([]int{2, 5, 6, 7}), " "); have != want {
		t.Errorf("%q, want %q", have, want)
	}
	if have := strings.Join(o.Paths([]int{5}), " "); have != "ports/http" {
		t.Errorf("alone it is %q", have)
	}
	for path := range strings.FieldsSeq(want) {
		if found, _ := o.Find(path); len(found) != 1 {
			t.Errorf("%s finds %v", path, found)
		}
	}
}

// TestWhatIsTooDeepIsNotShown, and is counted.
func TestWhatIsTooDeepIsNotShown(t *testing.T) {
	drawing := ""
	for i := range 40 {
		drawing += fmt.Sprintf("%s%d-%d class c%d\n", strings.Repeat("\t", i), i+1, 100-i, i)
	}
	o := parse(t, drawing+"200-200 function last")
	for _, style := range []Style{Signatures, Names} {
		rendered, shown := o.Render(o.All(), Options{Budget: 1 << 20, More: 1, Hint: "how", Style: style})
		if len(shown) != maxLevel/2+2 || !strings.HasSuffix(rendered, fmt.Sprintf("\n… %d more; how", 41+1-len(shown))) {
			t.Errorf("%d are shown:\n%s", len(shown), rendered)
		}
		if which, more := o.Foremost(100, text.Span{}); len(which) != len(shown) || more != 41-len(shown) {
			t.Errorf("the foremost are %d and %d more", len(which), more)
		}
	}
}

// TestHeadings stand in lines of their own, whose marks tell how deep they are.
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		kind            syntax.Kind
		name, signature string
		want            string
	}{
		{syntax.Function, "F", "func F(a int)", "func F(a int)"},
		{syntax.Function, "F", "func (a int)", "function F"},
		{syntax.Class, "C", "", "class C"},
		{syntax.String, "A heading", "## A *heading*", "## A *heading*"},
		{syntax.String, "A heading", "", "string A heading"},
		{syntax.Struct, "A", "A struct", "A struct"},
		{syntax.Class, "A", "A = B", "class A = B"},
		{syntax.Class, "A", "type A = B", "type A = B"},
		{syntax.Object, "key", "key", "key"},
		{syntax.Constant, "A", "A = 1", "A = 1"},
	} {
		s := Symbol{Kind: c.kind, Name: c.name, Signature: c.signature}
		if have := s.Label(); have != c.want {
			t.Errorf("%v %s, %q: %q, want %q", c.kind, c.name, c.signature, have, c.want)
		}
	}
}

// TestMembersOfTheFirst stand behind the first symbol's own container.
func TestMembersOfTheFirst(t *testing.T) {
	o := parse(t, "1-9 class T:M\n\t2-3 method inner")
	if have, _ := o.Render(o.All(), Options{Budget: 100, Style: Names}); have != "class T.M:1: inner" {
		t.Errorf("rendered: %s", have)
	}
}

// TestUpperBelowTheFirst: what the first symbol holds is a layer down.
func TestUpperBelowTheFirst(t *testing.T) {
	o := parse(t, "1-9 class First\n\t2-3 method m\n10-19 class Other\n\t11-12 method m")
	if upper := o.Upper(o.All(), 1); len(upper) != 2 {
		t.Errorf("upper are %v", upper)
	}
}

// TestHalfHeadings are no text: names are joined in lines.
func TestHalfHeadings(t *testing.T) {
	o := parse(t, "1-1 string Title\n2-2 function f\n3-3 function g\n4-4 string Other")
	if have, _ := o.Render(o.All(), Options{Budget: 100, Style: Names}); strings.Count(have, "\n") != 1 {
		t.Errorf("rendered:\n%s", have)
	}
}

// TestLastLevelIsShown: a field in the deepest class that is shown.
func TestLastLevelIsShown(t *testing.T) {
	drawing := ""
	for i := range maxLevel/2 + 1 {
		drawing += fmt.Sprintf("%s%d-%d class c%d\n", strings.Repeat("\t", i), i+1, 100-i, i)
	}
	for i, want := range []int{0, 1} {
		kind := []string{"class", "field"}[i]
		o := parse(t, drawing+fmt.Sprintf("%s40-40 %s last", strings.Repeat("\t", maxLevel/2+1-i), kind))
		if got := len(o.thinned(o.All())) - maxLevel/2 - 1; got != want {
			t.Errorf("of a %s %d are shown", kind, got)
		}
	}
}

func TestHeadings(t *testing.T) {
	o := parse(t, "1-90 string Title\n\t2-9 string Part\n\t10-19 string Other")
	o.Symbols[0].Signature, o.Symbols[1].Signature, o.Symbols[2].Signature = "# Title", "## Part", "Other"
	want := "1 # Title\n2 ## Part\n  10 Other"
	for _, style := range []Style{Brief, Names, Signatures} {
		if have, _ := o.Render(o.All(), Options{Budget: 50, Hint: "how", Style: style}); have != want {
			t.Errorf("have:\n%s\nwant:\n%s", have, want)
		}
	}
}

func TestFieldsAreThinned(t *testing.T) {
	drawing := "1-50 struct S\n"
	for i := range 40 {
		drawing += fmt.Sprintf("\t%d-%d field f%d\n", i+2, i+2, i)
	}
	o := parse(t, drawing+"51-90 enum E\n\t52-52 enummember A")
	for _, style := range []Style{Signatures, Names} {
		rendered, shown := o.Render(o.All(), Options{Budget: 1 << 20, Hint: "how", Style: style})
		if len(shown) != 1+fewDetails+2 || !strings.HasSuffix(rendered, fmt.Sprintf("\n… %d more; how", 40-fewDetails)) {
			t.Errorf("%d are shown:\n%s", len(shown), rendered)
		}
		if _, shown := o.Render(o.All(), Options{Budget: 1 << 20, Details: true, Style: style}); len(shown) != len(o.Symbols) {
			t.Errorf("asked for, %d are shown", len(shown))
		}
	}
}

func TestNamesOfOneDeclarationAreOneLine(t *testing.T) {
	o := parse(t, "1-1 variable a\n1-1 variable b\n2-2 variable c")
	o.Symbols[0].Signature, o.Symbols[1].Signature, o.Symbols[2].Signature = "var a, b int", "var a, b int", "var c int"
	if rendered, shown := o.Render(o.All(), in(100)); rendered != "1 var a, b int\n2 var c int" || len(shown) != 3 {
		t.Errorf("%d shown as %q", len(shown), rendered)
	}
}

// TestRenderingsKeepTheirBudget tries random outlines with random budgets:
// what is shown is the most that fits, upper levels first, and each budget
// shows at least what a smaller one shows.
func TestRenderingsKeepTheirBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		o := randomOutline(r, 60)
		for budget := 0; budget < 3000; budget += 1 + r.IntN(200) {
			style := Style(r.IntN(3))
			rendered, shown := o.Render(o.All(), Options{Budget: budget, Hint: "hint", Style: style, Deep: true})
			if len(rendered) > budget {
				t.Fatalf("%d bytes for a budget of %d", len(rendered), budget)
			}
			if !slices.IsSorted(shown) {
				t.Fatalf("%v", shown)
			}
			checkLevels(t, o, shown)
		}
	}
}

// checkLevels checks that where a symbol is shown, all of the levels above it
// are, but for details of which there are too many.
func checkLevels(t *testing.T, o *Outline, shown []int) {
	t.Helper()
	deepest := 0
	for _, i := range shown {
		deepest = max(deepest, o.level(i))
	}
	for _, i := range o.thinned(o.All()) {
		if o.level(i) < deepest && !slices.Contains(shown, i) {
			t.Fatalf("%d of level %d is not shown, but something of level %d is", i, o.level(i), deepest)
		}
	}
}

func TestShallowest(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-3 method f\n\t\t3-3 function g\n10-10 function B")
	for n, want := range []string{"", "A@1", "A@1 B@10", "A@1 A.f@2 B@10", "A@1 A.f@2 f.g@3 B@10", "A@1 A.f@2 f.g@3 B@10"} {
		if have := o.names(o.Shallowest(o.All(), n)); have != want {
			t.Errorf("%d: %q, want %q", n, have, want)
		}
	}
}

func TestForemost(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-3 method f\n\t\t3-3 function g\n\t5-9 method h\n10-10 function B")
	for _, c := range []struct {
		n           int
		first, last int // lines that are left out
		want        string
		more        int
	}{
		{9, 0, 0, "A@1 A.f@2 f.g@3 A.h@5 B@10", 0}, {3, 0, 0, "A@1 A.f@2 B@10", 2}, {0, 0, 0, "", 5},
		{9, 1, 2, "f.g@3 A.h@5 B@10", 0}, {9, 4, 10, "A@1 A.f@2 f.g@3", 0}, {1, 1, 1, "B@10", 3}, {9, 1, 10, "", 0},
	} {
		which, more := o.Foremost(c.n, text.Span{Start: 10 * (c.first - 1), End: 10 * c.last})
		if have := o.names(which); have != c.want || more != c.more {
			t.Errorf("%d outside of %d-%d: %q and %d more, want %q and %d", c.n, c.first, c.last, have, more, c.want, c.more)
		}
	}
}

// TestForemostGoesByNames: a comment above a definition is part of it, but
// whoever sees the name sees the definition.
func TestForemostGoesByNames(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-3 method f\n10-10 function B")
	o.Symbols[0].NameSpan = text.Span{Start: 72, End: 73}
	which, more := o.Foremost(9, text.Span{Start: 70, End: 80})
	if have := o.names(which); have != "A.f@2 B@10" || more != 0 {
		t.Errorf("%q and %d more", have, more)
	}
	which, more = o.Foremost(9, text.Span{Start: 0, End: 20})
	if have := o.names(which); have != "A@1 B@10" || more != 0 {
		t.Errorf("%q and %d more", have, more)
	}
}

// TestFitting: what takes the whole budget fits.
func TestFitting(t *testing.T) {
	for budget, want := range map[int]int{0: 0, 1: 0, 2: 1, 5: 2, 6: 3, 7: 3} {
		if got := fitting([]int{7, 8, 9}, budget, func(int) int { return 2 }); len(got) != want {
			t.Errorf("of three that take 2 bytes each %d fit into %d", len(got), budget)
		}
	}
}
