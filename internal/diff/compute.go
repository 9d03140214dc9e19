package diff

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Bounds on the middle of a diff, the part between the common first and last
// lines. They count work, not time, so that a diff is the same on every
// machine; each allows some tenths of a second at worst.
const (
	maxLines   = 1_000_000 // of both texts together; the library panics at 1,112,061 distinct ones
	maxSteps   = 1 << 24   // of the search for the edit distance
	maxProduct = 1 << 29   // edit distance times lines of the shorter text
)

// Compute returns edits of whole lines that turn a into b: the fewest lines
// removed and added. It takes any bytes.
//
// Lines that only one text has cost nothing. When the others moved about so
// much that the search would exceed a fixed amount of work, all between the
// common first and last lines is one edit.
func Compute(a, b string) []Edit {
	edits, _ := compute(a, b, false)
	return edits
}

// compute is Compute. With again it also returns the edits that the search
// finds from the texts' ends, which may be others where equal lines leave the
// choice.
func compute(a, b string, again bool) (edits, fromEnd []Edit) {
	start := commonFirstLines(a, b)
	a, b = a[start:], b[start:]
	end := commonLastLines(a, b)
	a, b = a[:len(a)-end], b[:len(b)-end]
	if a == "" && b == "" {
		return nil, nil
	}
	whole := []Edit{{Span: text.Span{Start: start, End: start + len(a)}, New: b}}
	if a == "" || b == "" || strings.Count(a, "\n")+strings.Count(b, "\n") > maxLines {
		return whole, whole
	}
	lines := internLines(a, b)
	if !allowed(lines.a, lines.b) {
		return whole, whole
	}
	edits = between(start, a, b, lines.match())
	if again {
		fromEnd = between(start, a, b, lines.matchFromEnd())
	}
	return edits, fromEnd
}

// pair is a line that both texts have: its 0-based number in each.
type pair struct{ a, b int }

// between returns the edits that keep the lines of pairs and replace what
// stands between them; a begins at offset base.
func between(base text.Offset, a, b string, pairs []pair) []Edit {
	as, bs := lineStarts(a), lineStarts(b)
	pairs = append(pairs, pair{len(as) - 1, len(bs) - 1})
	var edits []Edit
	next := pair{0, 0}
	for _, p := range pairs {
		if p != next {
			span := text.Span{Start: base + as[next.a], End: base + as[p.a]}
			edits = append(edits, Edit{Span: span, New: b[bs[next.b]:bs[p.b]]})
		}
		next = pair{p.a + 1, p.b + 1}
	}
	return edits
}

// interned are the lines that two texts have in common, each as a rune, with
// their 0-based numbers in the texts.
type interned struct {
	a, b   []rune
	ia, ib []int
}

func internLines(a, b string) *interned {
	ra, rb, _ := diffmatchpatch.New().DiffLinesToRunes(a, b)
	l := new(interned)
	l.a, l.ia = keepCommon(ra, rb)
	l.b, l.ib = keepCommon(rb, l.a)
	return l
}

// match returns a longest common subsequence of the lines, in order.
func (l *interned) match() []pair {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // no clock; allowed bounds the work
	var pairs []pair
	x, y := 0, 0
	for _, d := range dmp.DiffMainRunes(l.a, l.b, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			x += n
		case diffmatchpatch.DiffInsert:
			y += n
		case diffmatchpatch.DiffEqual:
			for ; n > 0; n-- {
				pairs = append(pairs, pair{l.ia[x], l.ib[y]})
				x++
				y++
			}
		}
	}
	return pairs
}

// matchFromEnd is match by a search that begins at the ends.
func (l *interned) matchFromEnd() []pair {
	back := &interned{slices.Clone(l.a), slices.Clone(l.b), slices.Clone(l.ia), slices.Clone(l.ib)}
	slices.Reverse(back.a)
	slices.Reverse(back.b)
	slices.Reverse(back.ia)
	slices.Reverse(back.ib)
	pairs := back.match()
	slices.Reverse(pairs)
	return pairs
}

// keepCommon returns the elements of a that occur in b, and their indices in
// a. The others are part of no common subsequence, and without them a
// rewritten text is hardly more work than an unchanged one.
func keepCommon(a, b []rune) (kept []rune, index []int) {
	in := make(map[rune]struct{}, len(b))
	for _, r := range b {
		in[r] = struct{}{}
	}
	for i, r := range a {
		if _, ok := in[r]; ok {
			kept = append(kept, r)
			index = append(index, i)
		}
	}
	return kept, index
}

// allowed reports whether the library's search, which takes up to edit distance
// times length steps, stays within bounds.
func allowed(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	d, ok := distance(a, b, maxSteps)
	return ok && d*min(len(a), len(b)) <= maxProduct
}

// distance returns the number of elements to delete and insert to turn a into
// b, and false when the greedy search for it (Myers, "An O(ND) Difference
// Algorithm", 1986) takes more than about the given number of steps.
func distance(a, b []rune, steps int) (int, bool) {
	most := min(len(a)+len(b), int(math.Sqrt(float64(2*steps)))) // d rounds take d*d/2 steps
	// reached[most+k] is how far into a the best path on diagonal k came, k
	// being the index into a less that into b.
	reached := make([]int, 2*most+3)
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			x := reached[most+k+1]
			if k != -d && (k == d || reached[most+k-1] >= x) {
				x = reached[most+k-1] + 1
			}
			start := x
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			if x >= len(a) && x-k >= len(b) {
				return d, true
			}
			reached[most+k] = x
			steps -= x - start
		}
		if steps < 0 {
			break
		}
	}
	return 0, false
}

// lineStarts returns the offsets at which the lines of s begin, and len(s).
func lineStarts(s string) []int {
	starts := make([]int, 1, strings.Count(s, "\n")+2)
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '\n') + 1
		if n == 0 {
			n = len(s) - i
		}
		i += n
		starts = append(starts, i)
	}
	return starts
}

// commonFirstLines returns the length in bytes of the whole lines that both a
// and b begin with.
func commonFirstLines(a, b string) int {
	return strings.LastIndexByte(a[:commonPrefix(a, b)], '\n') + 1
}

// commonLastLines returns the length in bytes of the whole lines that both a
// and b end with.
func commonLastLines(a, b string) int {
	n := commonSuffix(a, b)
	if startsLine(a, len(a)-n) && startsLine(b, len(b)-n) {
		return n
	}
	lf := strings.IndexByte(a[len(a)-n:], '\n')
	if lf < 0 {
		return 0
	}
	return n - lf - 1
}

func startsLine(s string, i int) bool {
	return i == 0 || s[i-1] == '\n'
}

// block is how many bytes are compared at once: the runtime compares strings
// an order of magnitude faster than a loop over bytes.
const block = 256

// commonPrefix returns the number of bytes that a and b have in common at
// their start.
func commonPrefix(a, b string) int {
	most := min(len(a), len(b))
	n := 0
	for n+block <= most && a[n:n+block] == b[n:n+block] {
		n += block
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix returns the number of bytes that a and b have in common at
// their end.
func commonSuffix(a, b string) int {
	most := min(len(a), len(b))
	n := 0
	for n+block <= most && a[len(a)-n-block:len(a)-n] == b[len(b)-n-block:len(b)-n] {
		n += block
	}
	for n < most && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
