package modern

import "fmt"

// Set is a generic alias (Go 1.24).
type Set[T comparable] = map[T]struct{}

// before stands above what the grammar does not know.
func before() *int { return new(41 + 1) }

type Box[T any] struct {
	value T
}

// Map is a generic method.
func (b *Box[T]) Map[U any](f func(T) U) *Box[U] {
	return &Box[U]{value: f(b.value)}
}

func (b *Box[T]) Get() T { return b.value }

type Vec[T any] = []T

// after uses new with an expression.
func after() {
	p := new("text")
	q := new(float64(3))
	for i := range 3 {
		fmt.Println(i, *p, *q)
	}
}

const Answer = 42

// Adder refers to itself in its own constraint (Go 1.26).
type Adder[A Adder[A]] interface {
	Add(A) A
}

func last[P *E, E any](p P) E {
	return *p
}

var total = *new(1 + 2)

type Final struct {
	Done bool
}
