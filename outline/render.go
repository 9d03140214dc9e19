package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

const (
	// shownSignature is how much of a signature a rendering shows, in bytes.
	shownSignature = 120
	// fewDetails is how many fields or values of one container are shown.
	fewDetails = 12
	// maxIndent is the deepest level that is indented as such.
	maxIndent = 12
	// maxLevel is the last level that is shown; deeper is no structure that a
	// person made.
	maxLevel = 63
)

// FewBytes is what signatures take at most where nobody asked for them.
const FewBytes = 512

// allNames is what names with those of fields take at most, in bytes, where nobody
// asked for fields.
const allNames = 2 << 10

// Style is how much of a symbol a rendering shows.
type Style int

const (
	// Brief is Signatures where these are few, else Names.
	Brief Style = iota
	// Signatures are one symbol a line: its first line and its head.
	Signatures
	// Names are one container a line, with its first line: its members' names.
	Names
)

// Options say how symbols are rendered.
type Options struct {
	// Budget is the most that the text may take, in bytes.
	Budget int
	// More is how many symbols there are beside those that are rendered.
	More int
	// Hint says how to see what is left out.
	Hint  string
	Style Style
	// Details has all fields and values shown, not the first few of each
	// container.
	Details bool
	// Deep has what functions hold shown, and fields however long names are.
	Deep bool
	// Unlined has containers shown without their first lines.
	Unlined bool
	// Uses tells how often a name is used; nil where nobody knows.
	Uses func(name string) int
}

// Render renders symbols, given by their indexes in ascending order. Where the
// budget is too small for all, upper levels are shown before deeper ones; of a
// level what is used most, then what other files see, then what is largest.
//
// shown are the symbols that the text has, in the same order. Where some are
// missing, or more exist, the last line says how many.
func (o *Outline) Render(symbols []int, opt Options) (rendered string, shown []int) {
	brief := symbols
	if !opt.Details {
		brief = o.thinned(symbols)
	}
	missing := func() int { return len(symbols) + opt.More - len(shown) }
	v, last := o.view(symbols, brief, opt), ""
	if _, names := v.(*layers); names && !opt.Deep {
		brief = o.essential(brief, v.cost)
		v = o.view(symbols, brief, opt)
	}
	if shown = fitting(brief, opt.Budget, v.cost); missing() > 0 {
		v, last = o.view(symbols, brief, opt), opt.remainder(len(symbols)+opt.More)
		shown = fitting(o.ranked(brief, opt.Uses), opt.Budget-len(last), v.cost)
		slices.Sort(shown)
		last = opt.remainder(missing())
	}
	if len(shown) == 0 {
		return "", nil
	}
	return strings.TrimSuffix(v.text(shown)+last, "\n"), shown
}

// remainder is the line that tells how many symbols are missing.
func (opt Options) remainder(missing int) string {
	if opt.Hint == "" {
		return ""
	}
	return fmt.Sprintf("… %d more; %s\n", missing, opt.Hint)
}

// view is a way to render symbols.
type view interface {
	// cost returns how many bytes a symbol takes at most beside those that it
	// was called with before.
	cost(i int) int
	// text renders symbols, in ascending order.
	text(shown []int) string
}

func (o *Outline) view(asked, brief []int, opt Options) view {
	lines := newHeads(o, asked)
	switch {
	case opt.Style == Signatures, o.isProse(brief):
		return lines
	case opt.Style == Brief && opt.More == 0 && len(fitting(brief, min(opt.Budget, FewBytes), lines.cost)) == len(asked):
		return lines
	}
	l := newLayers(o, asked)
	l.unlined = opt.Unlined
	return l
}

// essential returns symbols without those in functions, and where the others take
// much room without the fields and values of types.
func (o *Outline) essential(symbols []int, cost func(int) int) []int {
	kept, all := make([]int, 0, len(symbols)), 0
	for _, i := range symbols {
		if !o.inFunction(i) {
			kept, all = append(kept, i), all+cost(i)
		}
	}
	if all <= allNames {
		return kept
	}
	return slices.DeleteFunc(kept, func(i int) bool {
		s := &o.Symbols[i]
		return s.Kind.IsDetail() && !isKey(s.Kind) && s.Parent >= 0 && o.Symbols[s.Parent].Kind.IsType()
	})
}

// inFunction reports whether symbol i stands in a function.
func (o *Outline) inFunction(i int) bool {
	for p := o.Symbols[i].Parent; p >= 0; p = o.Symbols[p].Parent {
		if o.Symbols[p].Kind.IsFunction() {
			return true
		}
	}
	return false
}

// Layers is how many layers an outline has.
const Layers = 4

// Upper returns those of the symbols that are in the upper layers: above all
// code and types at the top, then constants and variables there, then members,
// then members' fields and values. Headings go by their depth. Layers in which
// there is nothing do not count.
func (o *Outline) Upper(symbols []int, layers int) []int {
	first := Layers
	for _, i := range symbols {
		first = min(first, o.layer(i))
	}
	upper := make([]int, 0, len(symbols))
	for _, i := range symbols {
		if o.layer(i) < max(layers, first+1) {
			upper = append(upper, i)
		}
	}
	return upper
}

func (o *Outline) layer(i int) int {
	s := &o.Symbols[i]
	layer := 0
	if s.Kind.IsDetail() {
		layer++
	}
	p := s.Parent
	for p >= 0 && isNamespace(o.Symbols[p].Kind) {
		p = o.Symbols[p].Parent
	}
	switch {
	case s.Kind == syntax.String:
		return min(s.Depth, Layers-1)
	case p >= 0, s.Parent < 0 && s.Container != "":
		layer += 2
	}
	return layer
}

// isProse reports whether most symbols are headings, whose names are sentences.
func (o *Outline) isProse(symbols []int) bool {
	headings := 0
	for _, i := range symbols {
		if o.Symbols[i].Kind == syntax.String {
			headings++
		}
	}
	return 2*headings > len(symbols)
}

// fitting returns the first symbols that fit into a budget.
func fitting(symbols []int, budget int, cost func(int) int) []int {
	for n, i := range symbols {
		if budget -= cost(i); budget < 0 {
			return symbols[:n]
		}
	}
	return symbols
}

// All returns the indexes of all symbols.
func (o *Outline) All() []int {
	all := make([]int, len(o.Symbols))
	for i := range all {
		all[i] = i
	}
	return all
}

// Foremost returns at most n symbols whose names stand outside of a span, those
// of the upper levels first, in document order, and how many more there are.
// What it costs depends on n and the span, not on the text.
func (o *Outline) Foremost(n int, outside text.Span) (symbols []int, more int) {
	levels := o.byLevel()
	for _, level := range levels {
		for _, i := range level {
			if len(symbols) == n {
				break
			}
			if !o.isNamedIn(outside, int(i)) {
				symbols = append(symbols, int(i))
			}
		}
	}
	slices.Sort(symbols)
	return symbols, len(o.Symbols) - o.countNamedIn(outside) - len(symbols)
}

func (o *Outline) isNamedIn(s text.Span, i int) bool {
	at := o.Symbols[i].NameSpan.Start
	return s.Start <= at && at < s.End
}

// countNamedIn counts the symbols whose names stand in a span.
func (o *Outline) countNamedIn(s text.Span) int {
	n, last := 0, o.before(s.Start)
	for i := last; i >= 0; i = o.Symbols[i].Parent {
		if o.isNamedIn(s, i) {
			n++
		}
	}
	for i := last + 1; i < len(o.Symbols) && o.Symbols[i].Span.Start < s.End; i++ {
		if o.isNamedIn(s, i) {
			n++
		}
	}
	return n
}

// byLevel returns the symbols of each level up to the last that is shown.
func (o *Outline) byLevel() [][]int32 {
	o.levelsOnce.Do(func() {
		for i := range o.Symbols {
			level := o.level(i)
			if level > maxLevel {
				continue
			}
			for len(o.levels) <= level {
				o.levels = append(o.levels, nil)
			}
			o.levels[level] = append(o.levels[level], int32(i))
		}
	})
	return o.levels
}

// Shallowest returns at most n of the symbols, those of the upper levels
// first, in their order.
func (o *Outline) Shallowest(symbols []int, n int) []int {
	if len(symbols) <= n {
		return symbols
	}
	var chosen []int
	for level := 0; level <= maxLevel; level++ {
		for _, i := range symbols {
			if o.level(i) == level && len(chosen) < n {
				chosen = append(chosen, i)
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

func (o *Outline) isMain(i int) bool { return !o.Symbols[i].Kind.IsDetail() }

// thinned returns symbols without those that are too deep, and without the
// fields and values of which their container has too many.
func (o *Outline) thinned(symbols []int) []int {
	count := make([]uint8, len(o.Symbols))
	kept := make([]int, 0, len(symbols))
	for _, i := range symbols {
		s := &o.Symbols[i]
		if o.level(i) > maxLevel {
			continue
		}
		if s.Kind.IsDetail() && !isKey(s.Kind) && s.Parent >= 0 {
			if count[s.Parent] == fewDetails {
				continue
			}
			count[s.Parent]++
		}
		kept = append(kept, i)
	}
	return kept
}

// level orders what is shown first: by depth, and what has code or members
// before details.
func (o *Outline) level(i int) int {
	level := 2 * o.Symbols[i].Depth
	if !o.isMain(i) {
		level++
	}
	return level
}
