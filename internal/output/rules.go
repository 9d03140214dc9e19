package output

import (
	"regexp"
	"strings"
	"sync"
)

// A rule tells what sort of line one is, and which lines around it belong to
// it. Patterns are regular expressions of shown lines.
type rule struct {
	tool   string // whose line it is, for readers of the table
	has    string // literals with "|" between, one of which the line holds
	is     string // what the line matches; "" any
	not    string // what it does not match; "" nothing
	weight weight

	back  string // lines before that belong to it, as long as they match
	then  string // lines after that belong to it, as long as they match
	until string // lines after that belong to it, up to and with one that matches
	upto  string // lines after that belong to it, up to one that matches or has a rule as grave
	lines int    // how many lines after belong to it at most; 0 for maxBlock
}

// weight is how much a line tells about what went wrong.
type weight int

const (
	noise   weight = iota - 1 // never an error, whatever words it has
	nothing                   // no rule
	warning                   // or a weak sign of an error
	summary                   // that and what failed
	likely                    // an error, by its words
	grave                     // an error, by its tool's own form
)

// compiled is a rule ready for use.
type compiled struct {
	weight                           weight
	is, not, back, then, until, upto *regexp.Regexp // nil for ""
	lines                            int
}

// ruleTable is all rules, and the automaton that finds their literals.
type ruleTable struct {
	rules  []compiled
	errors ruleSet // those that are not noise
	finder *finder
}

// table compiles the rules when first needed.
var table = sync.OnceValue(func() *ruleTable {
	t := &ruleTable{finder: newFinder()}
	for i, r := range rules {
		t.rules = append(t.rules, compiled{
			weight: r.weight, lines: r.lines,
			is: pattern(r.is), not: pattern(r.not), back: pattern(r.back),
			then: pattern(r.then), until: pattern(r.until), upto: pattern(r.upto),
		})
		if r.weight > nothing {
			t.errors.add(i)
		}
		for literal := range strings.SplitSeq(r.has, "|") {
			t.finder.add(literal, i)
		}
	}
	t.finder.link()
	return t
})

func pattern(s string) *regexp.Regexp {
	if s == "" {
		return nil
	}
	return regexp.MustCompile(s)
}

// match returns the first rule that a line fits, or nil. Whether a line is
// noise, and nothing else, is only looked at on demand.
func (t *ruleTable) match(line string, noiseToo bool) *compiled {
	found := t.finder.find(line)
	if !noiseToo && !found.meets(&t.errors) {
		return nil
	}
	for found.any() {
		i := found.pop()
		r := &t.rules[i]
		if (r.is == nil || r.is.MatchString(line)) && (r.not == nil || !r.not.MatchString(line)) {
			return r
		}
	}
	return nil
}
