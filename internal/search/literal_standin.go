package search

// Literal is a text that something must hold.
type Literal struct {
	Text string
	Fold bool // the case of ASCII letters does not matter
}
