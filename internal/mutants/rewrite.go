package mutants

import (
	"cmp"
	_ "embed" // the switch's source
	"slices"
	"strings"
)

// A numbered mutant is one that was picked; numbers begin at 1.
type numbered struct {
	Mutant
	id int
}

// rewrite returns src with all mutants in it, each off until it is switched on.
func rewrite(src string, mutants []numbered) string {
	// Outer ones first: regions are expressions or statements, so that two of
	// them either nest or have nothing in common.
	slices.SortStableFunc(mutants, func(a, b numbered) int { return cmp.Or(a.at-b.at, b.end-a.end) })
	r := rewriting{src: src, mutants: mutants}
	return r.span(0, len(src))
}

type rewriting struct {
	src     string
	mutants []numbered // those that are still to come
}

// span returns src[at:end], rewritten.
func (r *rewriting) span(at, end int) string {
	var out strings.Builder
	for len(r.mutants) > 0 && r.mutants[0].end <= end {
		m := r.mutants[0]
		r.mutants = r.mutants[1:]
		before, after := m.rewrite(m.id)
		out.WriteString(r.src[at:m.at] + before + r.span(m.innerAt, m.innerEnd) + after)
		at = m.end
	}
	out.WriteString(r.src[at:end])
	return out.String()
}

// Variables of the environment that the switch reads.
const (
	chosenVariable  = "AGENT_LSP_MUTANT"         // the number of the mutant that is on
	reachedVariable = "AGENT_LSP_MUTANT_REACHED" // the file to which numbers of mutants are appended as they are reached
)

// switchSource is the file that is added to a rewritten package.
//
//go:embed testdata/switch.go.txt
var switchSource string

// switchFor returns the switch as a file of a package.
func switchFor(pkg string) string {
	return strings.NewReplacer("PACKAGE", pkg, "CHOSEN", chosenVariable, "REACHED", reachedVariable).Replace(switchSource)
}
