package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func FuzzFinder(f *testing.F) {
	f.Add("a tab\tand a tab\tX", "\tX", 0)
	f.Add(strings.Repeat("ab", 1000)+"ba", "ba", 3)
	f.Add(strings.Repeat("q", 500)+"x", "qx", 1)
	f.Add("short", "longer than the text", 0)
	f.Add("end", "d", 2)
	f.Add("end", "d", 3)
	line := strings.Repeat("the same line\n", 20)
	f.Add(strings.Repeat(line, 20)+"X", line+"X", 5)
	f.Add(strings.Repeat(line, 20)+"X"+line, line+"Y", 0)
	f.Add(strings.Repeat("x", 900), strings.Repeat("x", 70)+"e", 0)
	f.Fuzz(func(t *testing.T, s, sub string, from int) {
		if sub == "" || from < 0 || from > len(s) {
			t.Skip()
		}
		want := strings.Index(s[from:], sub)
		if want >= 0 {
			want += from
		}
		if got := NewFinder(sub).Index(s, from); got != want {
			t.Errorf("%q in %q from %d: %d, want %d", sub, s, from, got, want)
		}
	})
}

// TestFinderInRepetitions: a long string that is nearly everywhere.
func TestFinderInRepetitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		period := strings.Repeat("a", r.IntN(40)) + "q"
		s := []byte(strings.Repeat(period, 1+r.IntN(2000/len(period))))
		for range r.IntN(4) {
			s[r.IntN(len(s))] = "aqe"[r.IntN(3)]
		}
		begin := r.IntN(len(s))
		sub := []byte(string(s[begin : begin+1+r.IntN(len(s)-begin)]))
		if r.IntN(2) == 0 {
			sub[len(sub)-1-r.IntN(min(3, len(sub)))] = "aqe"[r.IntN(3)]
		}
		from := r.IntN(len(s) + 1)
		want := bytes.Index(s[from:], sub)
		if want >= 0 {
			want += from
		}
		if got := NewFinder(string(sub)).IndexBytes(s, from); got != want {
			t.Fatalf("%q in %q from %d: %d, want %d", sub, s, from, got, want)
		}
	}
}

// BenchmarkFinder looks for a line at the end of 5 MB of source, whose first
// byte begins every other line, too; and where every byte of it is common.
func BenchmarkFinder(b *testing.B) {
	for _, sub := range []string{"\tb := a + 77777 // COMPUTE", "\tb := a + 7"} {
		var text strings.Builder
		for i := 0; text.Len() < 5<<20; i++ {
			fmt.Fprintf(&text, "func compute%d(a it) it {\n\tb := a - %d // compute of thigs\n\tretur b * 2\n}\n\n", i, i)
		}
		text.WriteString(sub)
		s := text.String()
		b.Run(sub, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				NewFinder(sub).Index(s, 0)
			}
		})
		b.Run(sub+", library", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				strings.Index(s, sub)
			}
		})
	}
}
