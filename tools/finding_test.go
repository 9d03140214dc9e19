package tools

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTopList: the best of many, as if all were sorted.
func TestTopList(t *testing.T) {
	for range 200 {
		keep := 1 + rand.IntN(8)
		list := topList{keep: keep}
		var all []hit
		for i := range rand.IntN(100) {
			h := hit{score: int64(rand.IntN(10)), length: rand.IntN(3), index: i}
			all = append(all, h)
			list.add(h)
		}
		list.finish()
		slices.SortFunc(all, compareHits)
		if want := all[:min(keep, len(all))]; !slices.Equal(list.items, want) {
			t.Fatalf("the best %d of %v: %v", keep, all, list.items)
		}
	}
}
