package output

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// selection chooses among the lines that a selector held on to.
type selection struct {
	lines  []item // in order, each once
	chosen []bool
	total  int    // lines of the stream
	name   string // of the stream's kept file, for marks; "" leaves it out
	budget int
	fresh  []int // what the last choose chose
	quiet  bool  // lines that are sure to be noise stand for nothing: errors were told
}

// MinBudget is the least budget of a selection: a mark for the whole.
const MinBudget = 48

// Text returns what is shown of the stream within budget bytes, which is at
// most what the selector was made for and at least MinBudget; after Close. name is what marks call
// the kept file. Each line ends with a line end; an empty stream is "".
// whole tells that it is the stream as it is, but for the end of its last line.
func (s *Selector) Text(budget int, name string) (text string, whole bool) {
	if budget < minNamed {
		name = ""
	}
	sel := s.selection(budget, name)
	if sel.chooseAll() {
		return sel.String(), s.reader.exact && !s.folded
	}
	told := sel.chooseErrors(s.blocks.list)
	sel.chooseEnds(told || s.beside)
	sel.fillSmallGaps()
	return sel.String(), false
}

// Need is how many bytes show all of the stream, or the selector's budget when
// that does not suffice; after Close.
func (s *Selector) Need() int {
	if sel := s.selection(s.budget, ""); sel.chooseAll() {
		return sel.size()
	}
	return s.budget
}

func (s *Selector) selection(budget int, name string) *selection {
	if s.lines == nil {
		s.lines = s.heldLines()
	}
	sel := &selection{lines: s.lines, total: s.Lines(), name: name, budget: budget}
	sel.chosen = make([]bool, len(sel.lines))
	return sel
}

// gravest is the weight of the gravest error.
func (s *Selector) gravest() weight {
	most := nothing
	for _, b := range s.blocks.list {
		most = max(most, b.weight)
	}
	return most
}

// minNamed is the least budget in which marks name the kept file.
const minNamed = 1 << 10

// heldLines returns all lines at hand, in order, each once.
func (s *Selector) heldLines() []item {
	lines := slices.Concat(s.head, s.tail.items())
	for _, b := range s.blocks.list {
		lines = append(lines, b.items()...)
	}
	slices.SortFunc(lines, func(a, b item) int { return cmp.Compare(a.at, b.at) })
	return slices.CompactFunc(lines, func(a, b item) bool { return a.at == b.at })
}

// chooseAll chooses everything, if that is all of the stream and fits.
func (sel *selection) chooseAll() bool {
	for i := range sel.chosen {
		sel.chosen[i] = true
	}
	whole := len(sel.lines) == 0 || sel.lines[0].at == 0 && sel.lines[len(sel.lines)-1].at == len(sel.lines)-1
	if whole && sel.size() <= sel.budget {
		return true
	}
	clear(sel.chosen)
	return false
}

// maxPacked bounds how many blocks are tried.
const maxPacked = 300

// chooseErrors chooses the last lines, in which tools sum up, and then blocks:
// graver before less grave, earlier before later. It reports whether there
// were any errors.
func (sel *selection) chooseErrors(list []*block) bool {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *block) int { return cmp.Compare(b.weight, a.weight) })
	list = slices.DeleteFunc(list, func(b *block) bool { return b.weight < summary })
	if len(list) == 0 {
		return false
	}
	sel.quiet = true
	sel.atMost(sel.budget/6, sel.fromEnd(), 8)
	for i, b := range list[:min(len(list), maxPacked)] {
		share := sel.budget
		if i == 0 && len(list) > 1 {
			share = sel.budget * 2 / 3 // leave some for the others
		}
		sel.chooseBlock(b, share)
	}
	return true
}

// chooseBlock chooses a block or, if that takes more than share, less and less
// of its middle.
func (sel *selection) chooseBlock(b *block, share int) {
	at := sel.places(b)
	for n := len(at); n > 0; n = n * 3 / 4 {
		front := (n + 2) / 3
		part := slices.Concat(at[:front], at[len(at)-(n-front):])
		before := sel.size()
		undo := sel.choose(part)
		if now := sel.size(); now <= sel.budget && (now-before <= share || n == 1) {
			return
		}
		for _, i := range undo {
			sel.chosen[i] = false
		}
		if b.weight < likely && n < len(at) {
			return
		}
	}
}

// places returns where the lines of b are among the lines at hand.
func (sel *selection) places(b *block) []int {
	var at []int
	for _, it := range b.items() {
		i, _ := slices.BinarySearchFunc(sel.lines, it.at, func(l item, at int) int { return cmp.Compare(l.at, at) })
		at = append(at, i)
	}
	return at
}

// choose chooses lines and returns those that were not chosen before, until
// the next choose.
func (sel *selection) choose(at []int) []int {
	fresh := sel.fresh[:0]
	for _, i := range at {
		if !sel.chosen[i] {
			sel.chosen[i] = true
			fresh = append(fresh, i)
		}
	}
	sel.fresh = fresh
	return fresh
}

// chooseEnds spends what is left on the first lines and, more, on the last.
// Beside errors, in this stream or the command's other, it spends less: there
// they only tell where one is.
func (sel *selection) chooseEnds(errors bool) {
	if errors {
		sel.atMost(min(sel.budget, sel.size()+sel.budget/10), sel.fromStart(), len(sel.lines))
		sel.atMost(min(sel.budget, sel.size()+sel.budget/5), sel.fromEnd(), len(sel.lines))
		return
	}
	sel.atMost(min(sel.budget, sel.size()+sel.budget/4), sel.fromStart(), len(sel.lines))
	sel.atMost(sel.budget, sel.fromEnd(), len(sel.lines))
	sel.atMost(sel.budget, sel.fromStart(), len(sel.lines))
}

// fromStart returns the lines from the first on that may tell something.
func (sel *selection) fromStart() []int {
	at := make([]int, 0, len(sel.lines))
	for i := range sel.lines {
		if !sel.quiet || !isNoise(sel.lines[i].text) {
			at = append(at, i)
		}
	}
	return at
}

// isNoise reports whether a line is one that tools write where all is well: a test
// that passed, a file that was compiled.
func isNoise(line string) bool {
	r := table().match(line, true)
	return r != nil && r.weight == noise
}

func (sel *selection) fromEnd() []int {
	at := sel.fromStart()
	slices.Reverse(at)
	return at
}

// atMost chooses the first of the lines at, as many as keep the whole within
// so many bytes, at most most of them.
func (sel *selection) atMost(bytes int, at []int, most int) {
	low, high := 0, min(most, len(at))
	for low < high {
		n := (low + high + 1) / 2
		fresh := sel.choose(at[:n])
		fits := sel.size() <= bytes
		for _, i := range fresh {
			sel.chosen[i] = false
		}
		if fits {
			low = n
		} else {
			high = n - 1
		}
	}
	sel.choose(at[:low])
}

// fillSmallGaps chooses lines that take no more than the mark in their place.
func (sel *selection) fillSmallGaps() {
	for i := 0; i < len(sel.lines); i++ {
		if sel.chosen[i] || i == 0 || !sel.chosen[i-1] {
			continue
		}
		end := i
		for end < len(sel.lines) && !sel.chosen[end] && end-i < 4 && sel.lines[end].at == sel.lines[i-1].at+1+end-i {
			end++
		}
		if end == len(sel.lines) || !sel.chosen[end] || sel.lines[end].at != sel.lines[end-1].at+1 {
			continue
		}
		before := sel.size()
		var gap []int
		for j := i; j < end; j++ {
			gap = append(gap, j)
		}
		fresh := sel.choose(gap)
		if now := sel.size(); now > before && now > sel.budget {
			for _, j := range fresh {
				sel.chosen[j] = false
			}
		}
	}
}

// String renders what is chosen, with a mark for each gap.
func (sel *selection) String() string {
	var b strings.Builder
	sel.render(func(s string) { b.WriteString(s); b.WriteByte('\n') })
	return b.String()
}

// size is the length of String, in bytes.
func (sel *selection) size() int {
	n := 0
	next := 1
	for i := range sel.lines {
		if !sel.chosen[i] {
			continue
		}
		it := &sel.lines[i]
		n += sel.markSize(next, it.first-1) + it.size()
		next = it.last + 1
	}
	return n + sel.markSize(next, sel.total)
}

func (sel *selection) markSize(first, last int) int {
	if first > last {
		return 0
	}
	return len(sel.mark(first, last)) + 1
}

func (sel *selection) render(line func(string)) {
	next := 1
	gap := func(last int) {
		if next <= last {
			line(sel.mark(next, last))
		}
	}
	for i := range sel.lines {
		if !sel.chosen[i] {
			continue
		}
		it := &sel.lines[i]
		gap(it.first - 1)
		line(it.text)
		switch {
		case it.text == "":
		case it.times == 2:
			line(it.text)
		case it.times > 2:
			line(repeatMark(it.times))
		}
		next = it.last + 1
	}
	gap(sel.total)
}

// mark stands for the lines first to last.
func (sel *selection) mark(first, last int) string {
	lines := " lines"
	if first == last {
		lines = " line"
	}
	s := "… " + grouped(last-first+1) + lines + " left out"
	if sel.name != "" {
		s += " (" + sel.name + ":" + strconv.Itoa(first) + "-" + strconv.Itoa(last) + ")"
	}
	return s + " …"
}

// repeatMark stands for all but one of times equal lines.
func repeatMark(times int) string { return "… the same line " + grouped(times-1) + " more times …" }

// grouped writes a number with commas.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
