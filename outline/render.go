package outline

import (
	"fmt"
	"slices"
	"strconv"
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

// Render renders symbols, given by their indexes in ascending order, one a
// line: their lines and their signature, indented by depth. It takes at most
// budget bytes. Where that is too little, deeper levels are left out first,
// and of the last level that fits in part, the later symbols; where not even
// the functions and types fit, their names stand for their signatures. Of the
// fields and values of one container only the first few are shown.
//
// shown are the symbols that the text has, in the same order. Where some are
// missing, or more exist, the last line says how many, and how to see them:
// hint.
func (o *Outline) Render(symbols []int, more, budget int, hint string) (rendered string, shown []int) {
	thin := o.thinned(symbols)
	r := renderer{o: o, style: signatures, asked: make([]bool, len(o.Symbols))}
	for _, i := range symbols {
		r.asked[i] = true
	}
	if r.exceeds(budget, thin, o.isMain) {
		r.style = names
	}
	last := fmt.Sprintf("… %d more; %s\n", len(symbols)+more, hint)
	shown = thin
	if more > 0 || len(thin) < len(symbols) || r.exceeds(budget, thin, o.isAny) {
		shown = r.fit(thin, budget-len(last))
	}
	var b strings.Builder
	for n, i := range shown {
		line := r.line(i)
		if n > 0 && r.style == signatures && line == r.line(shown[n-1]) {
			continue // two names of one declaration
		}
		b.WriteString(line)
	}
	if missing := len(symbols) + more - len(shown); missing > 0 && len(shown) > 0 {
		fmt.Fprintf(&b, "… %d more; %s\n", missing, hint)
	}
	return strings.TrimSuffix(b.String(), "\n"), shown
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
func (o *Outline) isAny(int) bool    { return true }

// thinned returns symbols without the details of which their container has
// too many.
func (o *Outline) thinned(symbols []int) []int {
	count := make([]uint8, len(o.Symbols))
	kept := make([]int, 0, len(symbols))
	for _, i := range symbols {
		s := &o.Symbols[i]
		if s.Kind.IsDetail() && s.Parent >= 0 {
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

// style is how much of a symbol a line shows.
type style int

const (
	signatures style = iota
	names
)

type renderer struct {
	o     *Outline
	style style
	asked []bool // which symbols are rendered, if there is room
}

// exceeds reports whether the lines of the symbols that count take more than
// budget bytes.
func (r renderer) exceeds(budget int, symbols []int, counts func(int) bool) bool {
	for _, i := range symbols {
		if counts(i) {
			if budget -= len(r.line(i)); budget < 0 {
				return true
			}
		}
	}
	return false
}

// fit returns the first symbols, by level, whose lines fit into budget.
func (r renderer) fit(symbols []int, budget int) []int {
	var fitting []int
	for level := 0; level <= maxLevel && len(fitting) < len(symbols); level++ {
		for _, i := range symbols {
			if r.o.level(i) != level {
				continue
			}
			if budget -= len(r.line(i)); budget < 0 {
				slices.Sort(fitting)
				return fitting
			}
			fitting = append(fitting, i)
		}
	}
	slices.Sort(fitting)
	return fitting
}

// line renders a symbol.
func (r renderer) line(i int) string {
	s := &r.o.Symbols[i]
	indent := strings.Repeat("  ", min(r.depth(i), maxIndent))
	lines := strconv.Itoa(s.StartLine)
	if s.EndLine > s.StartLine {
		lines += "-" + strconv.Itoa(s.EndLine)
	}
	return indent + lines + " " + r.label(s) + r.owner(s) + "\n"
}

// depth counts what a symbol is in, as far as that is rendered.
func (r renderer) depth(i int) (depth int) {
	for p := r.o.Symbols[i].Parent; p >= 0; p = r.o.Symbols[p].Parent {
		if r.asked[p] {
			depth++
		}
	}
	return depth
}

// owner names what a symbol is in, where that is not rendered above it.
func (r renderer) owner(s *Symbol) string {
	if s.Parent < 0 || r.asked[s.Parent] {
		return ""
	}
	return " (in " + r.o.Path(s.Parent) + ")"
}

func (r renderer) label(s *Symbol) string {
	switch {
	case s.Kind == syntax.String && s.Signature != "": // a heading, whose marks are shorter than the kind's name
	case r.style == names && s.Depth == 0 && s.Container != "": // as Go's methods
		return s.Kind.String() + " " + s.Container + "." + s.Name
	case r.style == names || !strings.Contains(s.Signature, s.Name):
		return s.Kind.String() + " " + s.Name
	case s.Kind.IsType() && strings.HasPrefix(s.Signature, s.Name) && !strings.Contains(s.Signature, s.Kind.String()):
		// One of several in a declaration, whose keyword stands above.
		return s.Kind.String() + " " + cut(s.Signature, shownSignature)
	}
	return cut(s.Signature, shownSignature)
}
