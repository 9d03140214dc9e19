package outline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// tenBytes is a text of n lines of ten bytes, of which those in blank are
// blank.
func tenBytes(n int, blank ...int) text.Text {
	var b strings.Builder
	for i := range n {
		line := fmt.Sprintf("%-9d\n", i+1)
		if slices.Contains(blank, i+1) {
			line = "         \n"
		}
		b.WriteString(line)
	}
	return text.New(b.String())
}

// lines is a window of whole lines, 1-based and inclusive.
func lines(first, last int) Window {
	return Window{Span: text.Span{Start: 10 * (first - 1), End: 10 * last}, MaxBytes: 1000, MaxLines: 20}
}

func TestWiden(t *testing.T) {
	o := parse(t, `
3-10 class A
	4-4 field x
	5-6 method f
	7-9 method g
12-60 class Large
	13-20 method h
	22-59 method long
		40-42 function inner
70-90 function tail`)
	src := tenBytes(100, 25, 50)
	free := func(w Window) Window { w.FreeStart = true; return w }
	narrow := func(w Window, n int) Window { w.MaxBytes = n; return w }
	within := func(w Window, n int) Window { w.MaxLines = n; return w }
	for _, c := range []struct {
		name        string
		w           Window
		first, last int
		what        string
	}{
		{"to the outermost that fits", lines(5, 5), 5, 10, "class A"},
		{"a field is no border", lines(3, 4), 3, 10, "class A"},
		{"the start is kept", lines(8, 8), 8, 10, "class A"},
		{"the start goes back", free(lines(8, 8)), 3, 10, "class A"},
		{"the start of a definition stays", free(lines(7, 8)), 7, 10, "class A"},
		{"the start alone", free(lines(8, 9)), 7, 9, "method g"},
		{"the start as far as it may go", free(within(lines(8, 9), 1)), 7, 9, "method g"},
		{"the last byte that the start has room for", free(narrow(lines(8, 9), 30)), 7, 9, "method g"},
		{"the start is one byte too far", free(narrow(lines(8, 9), 29)), 8, 9, "the window ends where a definition ends"},
		{"the start is one line too far", free(within(lines(8, 9), 0)), 8, 9, "the window ends where a definition ends"},
		{"the end as far as it may go", within(lines(5, 5), 5), 5, 10, "class A"},
		{"the outermost end is one line too far", within(lines(5, 5), 4), 5, 6, "method f"},
		{"the last byte that there is room for", narrow(lines(5, 5), 60), 5, 10, "class A"},
		{"to the start of what is not whole", free(lines(25, 25)), 22, 25, "method long"},
		{"the end of a definition stays", lines(5, 6), 5, 6, "the window ends where a definition ends"},
		{"nothing around", lines(1, 11), 1, 11, "the window ends outside of definitions"},
		{"the end of the text", lines(95, 100), 95, 100, "the window ends where the text ends"},
		{"the class is too large", lines(13, 13), 13, 20, "method h"},
		{"no room for more bytes", narrow(lines(5, 5), 40), 5, 6, "method f"},
		{"no room at all", narrow(lines(5, 5), 10), 5, 5, "nothing in method f ends in reach"},
		{"an inner function", lines(40, 41), 40, 60, "class Large"},
		{"an inner function in a large one", narrow(lines(40, 41), 100), 40, 42, "function inner"},
		{"a blank line", lines(24, 24), 24, 25, "blank line long"},
		{"a blank line stays", lines(24, 25), 24, 25, "the window ends with a blank line"},
		{"the start is too far", free(narrow(lines(58, 58), 100)), 58, 60, "class Large"},
	} {
		got := o.Widen(src, c.w)
		what := got.Kind + " " + got.Name
		if got.Kind == "" {
			what = got.Reason
		}
		want := text.Span{Start: 10 * (c.first - 1), End: 10 * c.last}
		if got.Span != want || what != c.what {
			t.Errorf("%s: lines %d-%d, %s; want %d-%d, %s", c.name, got.Start/10+1, got.End/10, what, c.first, c.last, c.what)
		}
	}
}

func TestWidenToStatements(t *testing.T) {
	o := parse(t, "1-200 function large")
	span := func(first, last int) text.Span { return text.Span{Start: 10*(first-1) + 2, End: 10*last - 1} }
	o.statements = byEnd([]text.Span{span(2, 4), span(6, 12), span(7, 8), span(9, 11), span(20, 180), span(21, 24), span(26, 27)})
	src := tenBytes(250, 30)
	for _, c := range []struct{ last, want int }{
		{2, 4}, {4, 4}, {6, 12}, {7, 12}, {8, 12}, {9, 12}, {12, 12}, {20, 24}, {21, 24}, {24, 24}, {25, 27}, {28, 30}, {30, 30}, {40, 40},
	} {
		w := lines(1, c.last)
		got := o.Widen(src, w)
		if got.End != 10*c.want {
			t.Errorf("a window to line %d ends at %d, not %d: %+v", c.last, got.End/10, c.want, got)
		}
		if got.Kind == "statement" == (c.want == c.last || c.want == 30) {
			t.Errorf("to line %d: %+v", c.last, got)
		}
	}
}

// TestStatementsAtTheLimit: one that ends with the last line or byte in reach
// counts, one that ends behind it does not.
func TestStatementsAtTheLimit(t *testing.T) {
	o := parse(t, "1-200 function large")
	o.statements = byEnd([]text.Span{{Start: 12, End: 39}})
	for _, c := range []struct{ maxLines, maxBytes, want int }{{2, 1000, 4}, {1, 1000, 2}, {20, 40, 4}, {20, 39, 2}} {
		w := lines(1, 2)
		w.MaxLines, w.MaxBytes = c.maxLines, c.maxBytes
		if got := o.Widen(tenBytes(250), w); got.End != 10*c.want {
			t.Errorf("%+v: ends at %d", c, got.End/10)
		}
	}
}

// randomOutline makes a tree of up to n symbols over lines of ten bytes.
func randomOutline(r *rand.Rand, n int) *Outline {
	o := &Outline{}
	kinds := []syntax.Kind{syntax.Class, syntax.Method, syntax.Function, syntax.Field, syntax.Constant, syntax.String}
	var fill func(first, last, parent, depth int)
	fill = func(first, last, parent, depth int) {
		for first <= last && len(o.Symbols) < n {
			first += r.IntN(4)
			end := min(last, first+r.IntN(1+r.IntN(40)))
			if first > last {
				return
			}
			i := len(o.Symbols)
			o.Symbols = append(o.Symbols, Symbol{
				Name: fmt.Sprint("s", i), Kind: kinds[r.IntN(len(kinds))], Signature: strings.Repeat("x", r.IntN(150)),
				StartLine: first, EndLine: end, HeadLine: first, Depth: depth, Parent: parent,
				Span: text.Span{Start: 10*(first-1) + r.IntN(3), End: 10*end - 1 - r.IntN(3)}, bodied: true,
			})
			if end > first+2 && depth < 6 {
				fill(first+1, end-1, i, depth+1)
			}
			first = end + 1
		}
	}
	fill(1, 400, -1, 0)
	for range r.IntN(40) {
		first := 1 + r.IntN(390)
		o.statements = append(o.statements, text.Span{Start: 10*(first-1) + 1, End: 10*(first+r.IntN(9)) - 1})
	}
	o.statements = byEnd(o.statements)
	return o
}

func TestWideningKeepsItsRules(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	src := tenBytes(400, 50, 100, 101, 250)
	for range 300 {
		o := randomOutline(r, 100)
		for range 50 {
			first := 1 + r.IntN(400)
			w := lines(first, min(400, first+r.IntN(60)))
			w.FreeStart, w.MaxLines = r.IntN(2) == 0, r.IntN(60)
			w.MaxBytes = w.Len() + r.IntN(800)
			checkWidening(t, o, src, w)
		}
	}
}

func checkWidening(t *testing.T, o *Outline, src text.Text, w Window) {
	t.Helper()
	got := o.Widen(src, w)
	gained := (got.Len() - w.Len()) / 10
	switch {
	case got.Start > w.Start || got.End < w.End || got.Start%10 != 0 || got.End%10 != 0:
		t.Fatalf("%v became %v", w.Span, got.Span)
	case got.Len() > w.MaxBytes || gained > w.MaxLines:
		t.Fatalf("%+v gained %d lines and has %d bytes", w, gained, got.Len())
	case !w.FreeStart && got.Start != w.Start:
		t.Fatalf("the start of %v moved to %d", w.Span, got.Start)
	case (got.Kind != "") != (gained > 0) || (got.Reason == "") != (gained > 0):
		t.Fatalf("%v became %+v", w.Span, got)
	}
	if want := outermostEnd(o, w); want > 0 && got.End != want {
		t.Fatalf("%v ends at %d, and a definition at %d fits: %+v", w.Span, got.End, want, got)
	}
	again := w
	again.Span, again.FreeStart = text.Span{Start: w.Start, End: got.End}, false
	if kept := o.Widen(src, again); got.Kind == "class" && kept.End != got.End {
		t.Fatalf("the end of a class, %d, went on to %d", got.End, kept.End)
	}
}

// outermostEnd finds, by looking at every symbol, where the outermost one ends
// that a window's end lies in and that fits; 0 where there is none, or where a
// smaller one ends there already.
func outermostEnd(o *Outline, w Window) int {
	innermost := -1
	for i, s := range o.Symbols {
		if s.Span.Start < w.End && s.Span.End > w.End {
			innermost = i
		}
	}
	for i, s := range o.Symbols {
		inside := i > innermost && (innermost < 0 || s.Span.End <= o.Symbols[innermost].Span.End)
		if inside && 10*s.EndLine == w.End && !s.Kind.IsDetail() {
			return 0
		}
	}
	for _, s := range o.Symbols {
		fits := 10*s.EndLine-w.Start <= w.MaxBytes && s.EndLine-w.End/10 <= w.MaxLines
		if s.Span.Start < w.End && s.Span.End > w.End && fits {
			return 10 * s.EndLine
		}
	}
	return 0
}
