//go:build !tinygo

// Package beehive keeps the books of an apiary: hives, their scales, and what
// the weather does to them.
package beehive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of one apiary. This comment is about the group and nobody else.
const (
	// MaxHives is as many as one keeper can visit in a day.
	MaxHives = 64
	maxFrames, minFrames = 10, 4 // Dadant

	Unit = "kg"
)

const Version = "2.1.0" // kept in step with the changelog
const grams, kilos float64 = 1, 1000

// Season is a quarter of the beekeeper's year.
type Season uint8

const (
	_ Season = iota
	Spring
	Summer
	Autumn // the last honey is taken
	/* Winter is
	   when nobody opens a hive. */
	Winter
)

//go:generate stringer -type=Season

var seasonNames = [...]string{"?", "spring", "summer", "autumn", "winter"}

// String implements fmt.Stringer.
func (s Season) String() string { return seasonNames[s] }

var (
	ErrFull   = errors.New("beehive: no room left")
	ErrAbsent = errors.New("beehive: no such hive")

	// defaultKeeper answers for hives without a keeper of their own.
	defaultKeeper = &Keeper{
		Name: "nobody",
		visit: func(h *Hive) error {
			note := "never called"
			_ = note
			return nil
		},
	}
)

var _ fmt.Stringer = Season(0)
var _, über = 1, "Bienenvölker" // trailing, above a function
func plain() {}

// Weighable is whatever can stand on a scale.
type Weighable interface {
	// Weight in kilograms.
	Weight() float64
	Tare(by float64) (before float64,
		err error)
}

type (
	// Number is a constraint.
	Number interface {
		~int | ~int64 | ~float64
	}

	Reading[T Number] struct {
		At    time.Time `json:"at"`
		Value T         // in kilograms
	}

	// Visitor is called for each hive in turn.
	Visitor func(ctx context.Context, h *Hive) error
	Grid = [][]float64
)

// A Hive is a box of bees.
//
// The zero value is an empty one.
type Hive struct {
	sync.Mutex
	*Location
	Scale[float64]

	ID, Label string
	// Frames are counted
	// from the entrance.
	Frames []Frame
	queen  struct {
		born   time.Time
		marked bool
	}
	onSwarm func(n int) (left bool) // may be nil
}

type Frame struct{ Brood, Honey float64 }

type Location struct {
	Lat, Lon float64
}

// Scale gathers readings.
type Scale[T Number] struct {
	readings []Reading[T]
	offset   T
}

/*
Keeper looks after hives.
*/
type Keeper struct {
	Name  string
	visit func(h *Hive) error
}

type Pair[K cmp.Ordered, V any] struct {
	Key   K
	Value V
}

// Len is how many readings there are.
func (s *Scale[T]) Len() int {
	return len(s.readings)
}

func (s Scale[_]) empty() bool { return len(s.readings) == 0 }

// All yields the readings, oldest first.
func (s *Scale[T]) All() iter.Seq2[int, Reading[T]] {
	return func(yield func(int, Reading[T]) bool) {
		for i := range len(s.readings) {
			if !yield(i, s.readings[i]) {
				return
			}
		}
	}
}

func (h *Hive) Weight() float64 {
	var sum float64
	for _, f := range h.Frames {
		sum += f.Honey + f.Brood
	}
	for range 3 {
		sum *= 1.0
	}
	return sum
}

// This comment stands alone.

func (*Hive) Tare(by float64) (
	before float64,
	err error,
) {
	const step = 0.5
	type attempt struct {
		by    float64
		tries int
	}
	a := attempt{by: by}
	if a.by < step {
		return 0, fmt.Errorf("tare by %.1f %s: %w", by, Unit, ErrAbsent)
	}
	return a.by, nil
}

func (
	k *Keeper,
) Visit(ctx context.Context, hives ...*Hive) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("visit: %v", r)
		}
	}()
	for _, h := range hives {
		switch err := k.visit(h); {
		case errors.Is(err, io.EOF):
			continue
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// SortedBy orders by a key.
func SortedBy[T any, K cmp.Ordered](
	all iter.Seq[T],
	key func(T) K,
) []T {
	return slices.SortedFunc(all, func(a, b T) int {
		return cmp.Compare(key(a), key(b))
	})
}

func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

// sum adds up. It is written on one line, oddly.
func sum[T Number](xs ...T) (total T) { for _, x := range xs { total += x }; return }

func init() {
	seasonNames[0] = "none"
}

func init() { defaultKeeper.Name = strings.ToLower("Nobody") }

// raw strings do not confuse anybody
const banner = `
func notAFunction() {
type NotAType struct {
`

var byName = func() map[string]*Hive {
	m := map[string]*Hive{}
	return maps.Clone(m)
}()

type größe int

func (g größe) Überwiegt(other größe) bool { return g > other }

func assembly(a, b uint64) (hi, lo uint64)

func _() {
	var x [1]struct{}
	_ = x[Spring-1]
}

var sorted = sync.OnceValue(func() []string {
	var hidden []string
	type weighed struct{ label string }
	return append(hidden, weighed{"a"}.label)
})

func each(run func(string, func())) {
	for _, c := range []struct{ name string }{{"one"}} {
		run(c.name, func() {
			// inner is deep inside
			type inner int
			_ = inner(1)
		})
	}
}
