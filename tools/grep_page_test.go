package tools

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCut: a page that is cut is the longest beginning that fits, of at least
// one hit, without files that have none.
func TestCut(t *testing.T) {
	for range 5000 {
		var out grepOutput
		var sizes []int
		for range 1 + rand.IntN(4) {
			var f grepFile
			for range 1 + rand.IntN(4) {
				h := grepHit{Text: strings.Repeat("x", rand.IntN(20)), Before: slices.Repeat([]string{"y"}, rand.IntN(5))}
				f.Hits = append(f.Hits, h)
				sizes = append(sizes, len(h.Text)+2*len(h.Before))
			}
			out.Files = append(out.Files, f)
		}
		most, want, sum := rand.IntN(150), 1, sizes[0]
		for want < len(sizes) && sum+sizes[want] <= most {
			sum += sizes[want]
			want++
		}
		took, have := out.cut(most), 0
		for _, f := range out.Files {
			if have += len(f.Hits); len(f.Hits) == 0 {
				t.Fatalf("%v cut to %d: a file without hits", sizes, most)
			}
		}
		if have != want || took != (want < len(sizes)) {
			t.Fatalf("%v cut to %d: %d hits, not %d; took %v", sizes, most, have, want, took)
		}
	}
}
