package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestCompute(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []Edit
	}{
		{"equal", "a\nb\n", "a\nb\n", nil},
		{"both empty", "", "", nil},
		{"from nothing", "", "a\nb", []Edit{edit(0, 0, "a\nb")}},
		{"to nothing", "a\nb", "", []Edit{edit(0, 3, "")}},
		{"whole lines, however little changed", "one\ntwo\nsix\n", "one\ntwos\nsix\n", []Edit{edit(4, 8, "twos\n")}},
		{"apart", "a\nb\nc\nd\n", "A\nb\nc\nD\n", []Edit{edit(0, 2, "A\n"), edit(6, 8, "D\n")}},
		{"delete and insert are one edit", "a\nb\nc\n", "a\nx\ny\nc\n", []Edit{edit(2, 4, "x\ny\n")}},
		{"final line end added", "a\nb", "a\nb\n", []Edit{edit(2, 3, "b\n")}},
		{"final line end removed", "a\nb\n", "a\nb", []Edit{edit(2, 4, "b")}},
		{"a beginning of b", "ab", "abc", []Edit{edit(0, 2, "abc")}},
		{"an end of b", "bc", "abc", []Edit{edit(0, 2, "abc")}},
		{"repeated lines", "x\nx\n", "x\nx\nx\n", []Edit{edit(4, 4, "x\n")}},
		{"a line end of another kind", "a\r\nb\r\n", "a\nb\r\n", []Edit{edit(0, 3, "a\n")}},
		{"a lone CR ends no line", "a\rb\n", "a\rc\n", []Edit{edit(0, 4, "a\rc\n")}},
		{"a moved line", "a\nb\nc\nd\n", "b\nc\nd\na\n", []Edit{edit(0, 2, ""), edit(8, 8, "a\n")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Compute(tt.a, tt.b); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestComputeRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		checkRoundTrip(t, randomText(r, 20), randomText(r, 20))
	}
}

// checkRoundTrip also takes bytes that are no UTF-8, which no text holds.
func checkRoundTrip(t *testing.T, a, b string) {
	t.Helper()
	var got strings.Builder
	at := 0
	for i, e := range Compute(a, b) {
		s := e.Span
		if s.Start < at || i > 0 && s.Start == at || !startsLine(a, s.Start) || s.End < len(a) && !startsLine(a, s.End) {
			t.Fatalf("%q → %q: edit %d, %v, does not replace lines behind the edit before", a, b, i, e)
		}
		if a[s.Start:s.End] == e.New {
			t.Fatalf("%q → %q: edit %d, %v, changes nothing", a, b, i, e)
		}
		got.WriteString(a[at:s.Start])
		got.WriteString(e.New)
		at = s.End
	}
	got.WriteString(a[at:])
	if got.String() != b {
		t.Fatalf("%q → %q: edits give %q", a, b, got.String())
	}
}

// TestComputeFewest compares the number of lines changed with that of a
// longest common subsequence found by dynamic programming.
func TestComputeFewest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		a, b := randomLines(r, 30), randomLines(r, 30)
		changed := 0
		for _, e := range Compute(a, b) {
			changed += linesIn(a[e.Span.Start:e.Span.End]) + linesIn(e.New)
		}
		if want := linesIn(a) + linesIn(b) - 2*longestCommon(splitLines(a), splitLines(b)); changed != want {
			t.Fatalf("%q → %q: %d lines changed, %d would do", a, b, changed, want)
		}
	}
}

func randomLines(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		fmt.Fprintln(&b, r.IntN(8))
	}
	return b.String()
}

func splitLines(s string) []string { return slices.Collect(strings.Lines(s)) }

func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// TestComputeManyDistinctLines has more distinct lines than there are code
// points below the surrogates, over which the library encodes lines.
func TestComputeManyDistinctLines(t *testing.T) {
	var a, b strings.Builder
	for i := range 75_000 {
		fmt.Fprintln(&a, i)
		if i%25_000 != 7 {
			fmt.Fprintln(&b, i)
		}
	}
	checkRoundTrip(t, a.String(), b.String())
	if edits := Compute(a.String(), b.String()); len(edits) != 3 {
		t.Errorf("got %d edits, want 3", len(edits))
	}
}

// TestComputeGivesUp reaches each bound on work: it must still be right, and
// be one edit between the first and last lines.
func TestComputeGivesUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	shuffled := r.Perm(10_000)
	var ascending, shuffledLines strings.Builder
	for i, n := range shuffled {
		fmt.Fprintln(&ascending, i)
		fmt.Fprintln(&shuffledLines, n)
	}
	tests := []struct{ name, a, b string }{
		{"shuffled", ascending.String(), shuffledLines.String()},
		{"periodic", "y\n" + strings.Repeat("x\n", 150_000) + "z\n", "z\n" + strings.Repeat("x\n", 146_000) + "y\n"},
		{"too many lines", strings.Repeat("\n", maxLines) + "x\n", "y\n" + strings.Repeat("\n", maxLines)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := "first\n"+tt.a+"last\n", "first\n"+tt.b+"last\n"
			edits := Compute(a, b)
			if len(edits) != 1 {
				t.Fatalf("got %d edits, want one", len(edits))
			}
			e := edits[0]
			if got := a[:e.Span.Start] + e.New + a[e.Span.End:]; got != b {
				t.Error("the edit does not give b")
			}
			if e.Span.Start < len("first\n") || e.Span.End > len(a)-len("last\n") {
				t.Errorf("%v replaces common lines", e.Span)
			}
		})
	}
}

// TestComputeFindsSmallChanges: what people do to big texts stays within the
// bounds.
func TestComputeFindsSmallChanges(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("line %d\n", i%30_000) }
	var a, b strings.Builder
	for i := range 100_000 {
		a.WriteString(line(i))
		switch {
		case i%100 == 0: // rewritten
			fmt.Fprintf(&b, "new %d\n", i)
		case i >= 50_000 && i < 50_300: // moved
		default:
			b.WriteString(line(i))
		}
	}
	for i := 50_000; i < 50_300; i++ {
		b.WriteString(line(i))
	}
	if n := len(Compute(a.String(), b.String())); n < 900 || n > 1100 {
		t.Errorf("got %d edits, want about 1000", n)
	}
}

// TestComputeIgnoresNewLines: lines that one text alone has are no work.
func TestComputeIgnoresNewLines(t *testing.T) {
	var a, b strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&a, i)
		fmt.Fprintln(&b, i+i%2*1_000_000) // every other line rewritten
	}
	if n := len(Compute(a.String(), b.String())); n != 10_000 {
		t.Errorf("got %d edits, want 10000", n)
	}
}

// TestDistanceWithinSteps: the search gives up only when more steps are needed
// than it has.
func TestDistanceWithinSteps(t *testing.T) {
	for steps, want := range map[int]bool{1: false, 2: true, 100: true} {
		if d, ok := distance([]rune("aab"), []rune("aac"), steps); ok != want || ok && d != 2 {
			t.Errorf("%d steps: %d, %v", steps, d, ok)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("a\r\nb", "\xff\n")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkRoundTrip(t, a, b)
		old, next := text.New(a), text.New(b)
		edits := Compute(old.String(), next.String())
		if err := Check(old, edits); err != nil {
			t.Fatal(err)
		}
		if got := Apply(old, edits); got.String() != next.String() {
			t.Fatalf("got %q, want %q", got, next)
		}
		checkUnified(t, old, edits, len(a)%5)
	})
}

func BenchmarkCompute(b *testing.B) {
	old := strings.Repeat("some line of source text\n", 80_000)
	near := old[:len(old)/2] + "x" + old[len(old)/2:]
	for b.Loop() {
		Compute(old, near)
	}
}
