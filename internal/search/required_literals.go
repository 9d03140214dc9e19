package search

import (
	"slices"
	"strings"
)

// Literal is a text that has to be there. With Fold, ASCII letters count in
// either case; the letters k and s, to which U+212A and U+017F fold, are in no
// such literal.
type Literal struct {
	Text string
	Fold bool
}

const (
	// maxSets bounds the sets that Needs returns.
	maxSets = 16
	// anchor stands for the line end before a place, in literals that are being
	// put together. It is in no UTF-8 text.
	anchor = "\xff"
)

// requiredLiterals returns what a text that matches the pieces must hold.
func requiredLiterals(ps []piece) [][]Literal {
	var sets [][]Literal
	for _, p := range ps {
		set := minimal(p.texts)
		if !telling(set) || slices.ContainsFunc(sets, func(s []Literal) bool { return slices.Equal(s, set) }) {
			continue
		}
		sets = append(sets, set)
	}
	slices.SortStableFunc(sets, func(a, b []Literal) int {
		switch ra, rb := hitRate(a), hitRate(b); {
		case ra < rb:
			return -1
		case ra > rb:
			return 1
		}
		return 0
	})
	return sets[:min(len(sets), maxSets)]
}

// telling reports whether some text does not hold a literal of set: each line
// holds an empty one, and the line end before it.
func telling(set []Literal) bool {
	return len(set) > 0 && !slices.ContainsFunc(set, func(l Literal) bool { return l.Text == "" || l.Text == "\n" })
}

// minimal returns texts as literals, without those that hold another one, and
// anchors as line ends.
func minimal(texts []Literal) []Literal {
	set := make([]Literal, len(texts))
	for i, t := range texts {
		set[i] = Literal{strings.ReplaceAll(t.Text, anchor, "\n"), t.Fold && hasLetter(t.Text)}
	}
	slices.SortStableFunc(set, func(a, b Literal) int { return len(a.Text) - len(b.Text) })
	var kept []Literal
	for _, l := range set {
		if !slices.ContainsFunc(kept, func(k Literal) bool { return k.within(l) }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// within reports whether whatever holds l2 holds l.
func (l Literal) within(l2 Literal) bool {
	if l.Fold {
		return strings.Contains(lowerASCII(l2.Text), l.Text)
	}
	return (!l2.Fold || !hasLetter(l.Text)) && strings.Contains(l2.Text, l.Text)
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isLetter(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }

// hasLetter reports whether s has ASCII letters, which are all that Fold is
// about.
func hasLetter(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) }) >= 0
}
