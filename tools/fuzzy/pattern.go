package fuzzy

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Words that are matched fuzzily, as fzf does: a word matches what holds its
// letters in their order, 'word what holds it as it is, ^word what begins and
// word$ what ends with it, and !word what does not hold it. A word in lower
// case matches in any case. All words must match.

// maxWords and maxPatternBytes bound what is looked at of a pattern.
const (
	maxWords        = 32
	maxPatternBytes = 512
)

type word struct {
	text     string // in lower case if fold
	fold     bool
	not      bool
	whole    bool // as it is, not only its letters
	from, to bool // at the front, at the end
	ascii    bool
	mask     uint64
}

// Pattern is words, all of which must match.
type Pattern []word

// Parse reads a pattern; anyCase makes all words match in any case.
func Parse(pattern string, anyCase bool) Pattern {
	var words Pattern
	for field := range strings.FieldsSeq(pattern[:min(len(pattern), maxPatternBytes)]) {
		w := word{}
		field, w.not = strings.CutPrefix(field, "!")
		w.whole = w.not
		if rest, ok := strings.CutPrefix(field, "'"); ok {
			field, w.whole = rest, true
		} else {
			field, w.from = strings.CutPrefix(field, "^")
		}
		field, w.to = strings.CutSuffix(field, "$")
		lower := strings.ToLower(field)
		w.whole = w.whole || w.from || w.to
		w.fold = anyCase || field == lower
		if w.text = field; w.fold {
			w.text = lower
		}
		w.ascii = IsASCII(w.text)
		if w.mask = maskOf(w.text); !w.ascii {
			w.mask &= otherBytes // other letters may fold to others still
		}
		if w.text != "" && len(words) < maxWords {
			words = append(words, w)
		}
	}
	return words
}

// IsASCII reports whether s holds ASCII characters alone.
func IsASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// otherBytes is the bit of all bytes that have none of their own.
const otherBytes = 1 << 63

// maskOf returns which bytes a text holds, letters in any case.
func maskOf(s string) (mask uint64) {
	for i := range len(s) {
		mask |= byteBits[s[i]]
	}
	return mask
}

// byteBits gives each byte its bit in a mask.
var byteBits = func() (table [256]uint64) {
	next := 0
	for b := range table {
		table[b] = otherBytes
	}
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_-./ " {
		table[c] = 1 << next
		if 'a' <= c && c <= 'z' {
			table[c-'a'+'A'] = 1 << next
		}
		next++
	}
	return table
}()

// Mask returns the bits that a path must have to match.
func (p Pattern) Mask() (mask uint64) {
	for i := range p {
		if !p[i].not {
			mask |= p[i].mask
		}
	}
	return mask
}

// Score returns how well a path matches; ok is false when it does not.
func (p Pattern) Score(path string, base int) (score int, ok bool) {
	for i := range p {
		w := &p[i]
		s, ok := w.score(path, base)
		if ok == w.not {
			return 0, false
		}
		if !w.not {
			score += s
		}
	}
	return score, true
}

// StandIn reports whether all words stand in a name as they are, in any case.
func (p Pattern) StandIn(name string) bool {
	lower := strings.ToLower(name)
	for i := range p {
		if !p[i].not && !strings.Contains(lower, strings.ToLower(p[i].text)) {
			return false
		}
	}
	return true
}

func (w *word) score(path string, base int) (int, bool) {
	if !w.ascii && w.fold {
		lower := strings.ToLower(path)
		path, base = lower, strings.LastIndexByte(lower, '/')+1
	}
	if w.whole {
		return w.scoreWhole(path, base)
	}
	return w.scoreLetters(path, base)
}

// What a letter is worth, by fzf's measure, and a little more in a file's name.
const (
	pointsLetter   = 16
	pointsGap      = -3
	pointsInGap    = -1
	pointsStart    = 9 // of a path's component
	pointsWord     = 8 // after a separator
	pointsHump     = 7 // of camelCase, or a number's first digit
	pointsRun      = 4 // beside the letter before
	pointsName     = 2 // in the last component
	pointsAllOfIt  = 24
	pointsAllStem  = 16
	firstCountsFor = 2
)

// worth is what the place of a byte adds to a letter that matches there.
func worth(path string, i, base int) int {
	points := 0
	if i >= base {
		points = pointsName
	}
	if i == 0 {
		return points + pointsStart
	}
	switch before, c := path[i-1], path[i]; {
	case before == '/':
		return points + pointsStart
	case !IsWordByte(before) && IsWordByte(c):
		return points + pointsWord
	case isUpper(c) && !isUpper(before), IsDigit(c) && !IsDigit(before):
		return points + pointsHump
	}
	return points
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsWordByte reports whether c is a letter, a digit, or of a character beyond ASCII.
func IsWordByte(c byte) bool {
	return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// sameBytes and LowerBytes give each byte as a word sees it.
var (
	sameBytes  = bytesBy(func(c byte) byte { return c })
	LowerBytes = bytesBy(func(c byte) byte {
		if isUpper(c) {
			return c | 0x20
		}
		return c
	})
)

func bytesBy(f func(byte) byte) *[256]byte {
	var table [256]byte
	for c := range table {
		table[c] = f(byte(c))
	}
	return &table
}

// seen returns how the word sees bytes.
func (w *word) seen() *[256]byte {
	if w.fold {
		return LowerBytes
	}
	return sameBytes
}

// scoreWhole scores the best place that holds the word as it is.
func (w *word) scoreWhole(path string, base int) (best int, ok bool) {
	last := len(path) - len(w.text)
	first := 0
	if w.to {
		first = max(last, 0)
	}
	if w.from {
		last = min(last, 0)
	}
	for at := first; at <= last; at++ {
		if w.standsAt(path, at) {
			best, ok = max(best, w.pointsAt(path, at, base)), true
		}
	}
	return best, ok
}

func (w *word) standsAt(path string, at int) bool {
	seen := w.seen()
	for i := range len(w.text) {
		if seen[path[at+i]] != w.text[i] {
			return false
		}
	}
	return true
}

// pointsAt scores a word that stands at a place as it is.
func (w *word) pointsAt(path string, at, base int) int {
	start := worth(path, at, base)
	points := len(w.text)*pointsLetter + start*firstCountsFor
	for i := 1; i < len(w.text); i++ {
		points += max(worth(path, at+i, base), pointsRun, start-pointsName)
	}
	if at == base {
		switch rest := path[at+len(w.text):]; {
		case rest == "":
			points += pointsAllOfIt
		case rest[0] == '.':
			points += pointsAllStem
		}
	}
	return points
}

// scoreLetters scores the best way to find the word's letters in their order,
// as fzf does: by the points of the letters and what lies between them.
func (w *word) scoreLetters(path string, base int) (int, bool) {
	first, end, ok := w.window(path)
	if !ok {
		return 0, false
	}
	n := len(w.text)
	if end-first == n {
		return w.pointsAt(path, first, base), true
	}
	if end-first > maxScored {
		first = end - maxScored // the window is from the end: it still holds what matters most
		if !w.fitsIn(path[first:end]) {
			return n * pointsLetter, true
		}
	}
	best := w.align(path, first, end, base)
	if at := w.lastWhole(path, first, end); at >= 0 {
		best = max(best, w.pointsAt(path, at, base))
	}
	return best, true
}

// maxScored is how much of a path is scored letter by letter.
const maxScored = 256

// window returns where the first letter can be at the earliest and where the
// last ends at the latest.
func (w *word) window(path string) (first, end int, ok bool) {
	seen := w.seen()
	i, want := 0, w.text[0]
	for at := 0; at < len(path); at++ {
		if seen[path[at]] != want {
			continue
		}
		if i == 0 {
			first = at
		}
		if i++; i == len(w.text) {
			break
		}
		want = w.text[i]
	}
	if i < len(w.text) {
		return 0, 0, false
	}
	end = len(path)
	for seen[path[end-1]] != want {
		end--
	}
	return first, end, true
}

func (w *word) fitsIn(s string) bool {
	_, _, ok := w.window(s)
	return ok
}

// lastWhole returns the last place within a window where the word stands as it
// is, -1 without one.
func (w *word) lastWhole(path string, first, end int) int {
	for at := end - len(w.text); at >= first; at-- {
		if w.standsAt(path, at) {
			return at
		}
	}
	return -1
}

// cell is a place where the word's letters so far can end.
type cell struct {
	at     int // in the window
	points int // the most, of all ways to end here
	start  int // what the first letter of its run was worth
}

// align is a dynamic program over the places of each letter alone: most of a
// path is none.
func (w *word) align(path string, first, end, base int) (best int) {
	var room [2][64]cell
	var letters [maxScored]byte
	window := letters[:end-first]
	seen := w.seen()
	for i := range window {
		window[i] = seen[path[first+i]]
	}
	before, cells := room[0][:0], room[1][:0]
	for i := range len(w.text) {
		cells = cells[:0]
		from := 0
		if i > 0 {
			from = before[0].at + 1
		}
		// most is of the cells that lie further back than the place before,
		// each with its place added: the gap takes one off for each byte.
		most, next := -1<<20, 0
		for {
			step := bytes.IndexByte(window[from:], w.text[i])
			if step < 0 {
				break
			}
			at := from + step
			from = at + 1
			here := worth(path, first+at, base)
			if i == 0 {
				cells = append(cells, cell{at, pointsLetter + here*firstCountsFor, here})
				continue
			}
			for ; next < len(before) && before[next].at < at-1; next++ {
				most = max(most, before[next].points+before[next].at)
			}
			c := cell{at, most - at + pointsGap - 2*pointsInGap + pointsLetter + here, here}
			if next < len(before) && before[next].at == at-1 {
				b := before[next]
				if p := b.points + pointsLetter + max(here, pointsRun, b.start-pointsName); p >= c.points {
					c.points, c.start = p, max(b.start, here)
				}
			}
			cells = append(cells, c)
		}
		before, cells = cells, before
	}
	for i, c := range before {
		if i == 0 || c.points > best {
			best = c.points
		}
	}
	return best
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }
