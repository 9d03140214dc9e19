package read

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func sized(room int, sizes ...int) *several {
	s := &several{room: room}
	for _, size := range sizes {
		s.parts = append(s.parts, readPart{size: size, out: new(Output)})
	}
	return s
}

func TestShares(t *testing.T) {
	for _, tt := range []struct {
		room  int
		sizes []int
		level int
		left  []int
	}{
		{10_000, []int{100, 200}, 10_000, nil},
		{10_000, []int{100, 20_000}, 9_900, nil},
		{10_000, []int{20_000, 100, 20_000}, 4_950, nil},
		{10_000, []int{20_000, 20_000, 100, 20_000}, 4_950, []int{3}},
		{10_000, []int{20_000, 20_000, 20_000}, 5_000, []int{2}},
		{1_000, []int{20_000, 20_000, 20_000}, 1_000, []int{1, 2}},
		{250, []int{100, 100, 100, 100}, 250, []int{2, 3}},
	} {
		s := sized(tt.room, tt.sizes...)
		if level := s.level(); level != tt.level || !slices.Equal(s.leftOut(), tt.left) {
			t.Errorf("%d bytes for %v: level %d, without %v; want %d, without %v", tt.room, tt.sizes, level, s.leftOut(), tt.level, tt.left)
		}
	}
}

// TestSharesFit: what is cut to the level takes no more than there is, and parts are
// only left out where there is too little for them.
func TestSharesFit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var sizes []int
		for range 1 + rnd.IntN(20) {
			sizes = append(sizes, 1+rnd.IntN(1<<(1+rnd.IntN(16))))
		}
		s := sized(1+rnd.IntN(60_000), sizes...)
		level, sum := s.level(), 0
		for _, p := range s.parts {
			sum += min(p.size, level)
		}
		if sum > s.room {
			t.Fatalf("%d bytes for %v: level %d, without %v, is %d", s.room, sizes, level, s.leftOut(), sum)
		}
		if all := sized(s.room, sizes...); all.size() <= s.room && len(s.leftOut()) > 0 {
			t.Fatalf("%d bytes for %v: without %v", s.room, sizes, s.leftOut())
		}
	}
}

func TestRanges(t *testing.T) {
	if got := ranges([]int{1, 4, 5, 6, 9}); got != "1, 4-6, 9" {
		t.Error(got)
	}
}
