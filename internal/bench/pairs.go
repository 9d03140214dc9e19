package bench

import (
	"slices"
	"time"
)

// Figure is one row of the table.
type Figure struct {
	Name string
	// Got is what was measured, Floor what it is held against; both in Unit.
	// Without a floor, Floor is 0.
	Got, Floor float64
	Unit       string
	// Bar is the most that Got/Floor may be, or Got itself without a floor.
	Bar float64
	// Note says how it was measured, where the name does not.
	Note string
}

// Value is what the bar is about.
func (f Figure) Value() float64 {
	if f.Floor > 0 {
		return f.Got / f.Floor
	}
	return f.Got
}

// Reached reports whether the bar is.
func (f Figure) Reached() bool { return f.Value() <= f.Bar }

// pairs runs ours and floor by turns, n times after a warm-up, and returns the
// medians of both in microseconds.
func pairs(n int, ours, floor func(i int)) (got, least float64) {
	return readyPairs(n, ours, func(i int) func() { return func() { floor(i) } })
}

// readyPairs is [pairs] for a floor that has to be made ready each time: what
// ready returns is measured.
func readyPairs(n int, ours func(i int), ready func(i int) (floor func())) (got, least float64) {
	for i := range min(n, 3) {
		ours(i)
		ready(i)()
	}
	a, b := make([]float64, n), make([]float64, n)
	for i := range n {
		a[i] = timed(func() { ours(i) })
		b[i] = timed(ready(i))
	}
	return median(a), median(b)
}

// series runs ours and floor by turns as pairs does, but n times each in a row:
// a server that is called again and again, as it is measured alone.
func series(rounds, n int, ours, floor func(i int)) (got, least float64) {
	a, b := make([]float64, 0, rounds*n), make([]float64, 0, rounds*n)
	for range rounds {
		for i := range n {
			a = append(a, timed(func() { ours(i) }))
		}
		for i := range n {
			b = append(b, timed(func() { floor(i) }))
		}
	}
	return median(a), median(b)
}

// medianOf runs f n times after a warm-up and returns the median in
// microseconds.
func medianOf(n int, f func(i int)) float64 {
	got, _ := pairs(n, f, func(int) {})
	return got
}

func timed(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start).Nanoseconds()) / 1000
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
