package outline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

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
		want   string
	}{
		{1000, `
1 constant Limit()
2-9 class Store()
  3 field size()
  4-6 method Get()
    5 function inner()
10 function New()`},
		{100, `
1 constant Limit()
2-9 class Store()
  4-6 method Get()
10 function New()
… 2 more; how`},
		{60, `
2-9 class Store
10 function New
… 4 more; how`},
		{40, `
2-9 class Store
… 5 more; how`},
		{20, ""},
		{0, ""},
	} {
		if have, _ := o.Render(o.All(), 0, c.budget, "how"); have != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("in %d bytes:\n%s\nwant:%s", c.budget, have, c.want)
		}
	}
}

// TestRenderingFillsItsBudget: each number of lines is shown as soon as there
// is room for it, to the byte.
func TestRenderingFillsItsBudget(t *testing.T) {
	o := parse(t, "1-1 function a\n2-2 function b\n3-3 function c")
	const line, last = len("1 function a()\n"), len("… 2 more; how\n")
	name := line - len("()")
	for budget, want := range map[int]int{
		3 * line: 3, 3*line - 1: 3, // as names
		3 * name: 3, 3*name - 1: 1, name + last: 1, name + last - 1: 0,
	} {
		if rendered, shown := o.Render(o.All(), 0, budget, "how"); want != len(shown) || len(rendered) > budget || strings.Contains(rendered, "()") != (budget == 3*line) {
			t.Errorf("in %d bytes %d are shown, not %d:\n%s", budget, len(shown), want, rendered)
		}
	}
}

// TestPartsSayWhatTheyAreIn: what is rendered without its container names it.
func TestPartsSayWhatTheyAreIn(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-8 class B\n\t\t3-4 method f\n10-10 function g")
	for _, tt := range []struct {
		symbols []int
		want    string
	}{
		{[]int{1, 2, 3}, "2-8 class B() (in A)\n  3-4 method f()\n10 function g()"},
		{[]int{2}, "3-4 method f() (in A.B)"},
		{[]int{0, 2}, "1-9 class A()\n  3-4 method f() (in A.B)"},
	} {
		if got, _ := o.Render(tt.symbols, 0, 1000, "how"); got != tt.want {
			t.Errorf("%v:\n%s\nwant:\n%s", tt.symbols, got, tt.want)
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
	rendered, shown := o.Render(o.All(), 1, 1<<20, "how")
	if len(shown) != maxLevel/2+2 || !strings.HasSuffix(rendered, fmt.Sprintf("\n… %d more; how", 41+1-len(shown))) {
		t.Errorf("%d are shown:\n%s", len(shown), rendered)
	}
	if which, more := o.Foremost(100, text.Span{}); len(which) != len(shown) || more != 41-len(shown) {
		t.Errorf("the foremost are %d and %d more", len(which), more)
	}
}

func TestHeadingsKeepTheirMarks(t *testing.T) {
	o := parse(t, "1-90 string Title\n91-99 function run")
	o.Symbols[0].Signature, o.Symbols[1].Signature = "# Title", "func run("+strings.Repeat("a, ", 20)+")"
	want := "1-90 # Title\n91-99 function run"
	if have, _ := o.Render(o.All(), 0, 50, "how"); have != want {
		t.Errorf("have:\n%s\nwant:\n%s", have, want)
	}
}

func TestFieldsAreThinned(t *testing.T) {
	drawing := "1-50 struct S\n"
	for i := range 40 {
		drawing += fmt.Sprintf("\t%d-%d field f%d\n", i+2, i+2, i)
	}
	o := parse(t, drawing+"51-90 enum E\n\t52-52 enummember A")
	rendered, shown := o.Render(o.All(), 0, 1<<20, "how")
	if len(shown) != 1+fewDetails+2 || !strings.HasSuffix(rendered, fmt.Sprintf("\n… %d more; how", 40-fewDetails)) {
		t.Errorf("%d are shown:\n%s", len(shown), rendered)
	}
}

func TestNamesOfOneDeclarationAreOneLine(t *testing.T) {
	o := parse(t, "1-1 variable a\n1-1 variable b\n2-2 variable c")
	o.Symbols[0].Signature, o.Symbols[1].Signature, o.Symbols[2].Signature = "var a, b int", "var a, b int", "var c int"
	if rendered, shown := o.Render(o.All(), 0, 100, "how"); rendered != "1 var a, b int\n2 var c int" || len(shown) != 3 {
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
			rendered, shown := o.Render(o.All(), 0, budget, "hint")
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

// TestNamesOfMethodsOutside: where there is no room for signatures, methods
// that stand outside of their type are told with its name, others without.
func TestNamesOfMethodsOutside(t *testing.T) {
	o := parse(t, "1-9 class A\n\t2-8 method f\n10-10 method B:g")
	for i := range o.Symbols {
		o.Symbols[i].Signature += strings.Repeat(" long", 9)
	}
	want := "1-9 class A\n  2-8 method f\n10 method B.g"
	if got, _ := o.Render(o.All(), 0, len(want)+1, "how"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
