package fuzzy

import (
	"math/rand/v2"
	"testing"
)

func TestAlign(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const alphabet = "aAbBc1_/."
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	compared := 0
	for range 20000 {
		path, word := random(1+r.IntN(200)), random(1+r.IntN(9))
		for _, w := range Parse(word, r.IntN(2) == 0) {
			first, end, ok := w.window(path)
			if !ok || w.whole {
				continue
			}
			compared++
			base := r.IntN(len(path))
			if got, want := w.align(path, first, end, base), w.alignPlainly(path, first, end, base); got != want {
				t.Fatalf("%q in %q: %d points, want %d", word, path, got, want)
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d words were compared", compared)
	}
}

// alignPlainly is what align must agree with, the same over all places: ending[j] is the most points with the letters
// so far, the last of them at j; open[j] the same with that letter anywhere up
// to j, what lies between taken off.
func (w *word) alignPlainly(path string, first, end, base int) int {
	var rooms [4][maxScored]int32
	const none = -1 << 20
	size := end - first
	before, ending := rooms[0][:size], rooms[1][:size]
	starts, startsBefore := rooms[2][:size], rooms[3][:size] // what the run's first letter was worth
	best := int32(none)
	for i := range len(w.text) {
		open, best2 := int32(none), int32(none)
		for j := range size {
			points, start := int32(none), int32(0)
			if c := path[first+j]; w.seen()[c] == w.text[i] {
				here := int32(worth(path, first+j, base))
				if i == 0 {
					points, start = pointsLetter+here*firstCountsFor, here
				} else {
					if open > none/2 {
						points, start = open+pointsLetter+here, here
					}
					if j > 0 && before[j-1] > none/2 {
						run := max(here, pointsRun, startsBefore[j-1]-pointsName)
						if p := before[j-1] + pointsLetter + run; p >= points {
							points, start = p, startsBefore[j-1]
							if here > start {
								start = here
							}
						}
					}
				}
			}
			if i > 0 { // for the next j: the letter before may stand at j-1 or earlier
				if open > none/2 {
					open += pointsInGap
				}
				if j > 0 && before[j-1] > none/2 {
					open = max(open, before[j-1]+pointsGap)
				}
			}
			ending[j], starts[j] = points, start
			best2 = max(best2, points)
		}
		best = best2
		before, ending = ending, before
		startsBefore, starts = starts, startsBefore
	}
	return int(best)
}
