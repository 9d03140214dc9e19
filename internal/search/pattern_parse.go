package search

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

const (
	// maxPattern bounds the text of a pattern, in bytes.
	maxPattern = 64 << 10
	// maxInstructions bounds the compiled pattern: a step of the automaton
	// that is not known yet costs as much, and nothing can interrupt it.
	maxInstructions = 1 << 17
)

// parse returns the syntax tree of p. "^" and "$" in it stand for the ends of
// lines.
func parse(p Pattern) (*syntax.Regexp, error) {
	if !slices.Contains([]Case{"", CaseSmart, CaseSensitive, CaseInsensitive}, p.Case) {
		return nil, fault.New(fault.InvalidParams, "case is %q", p.Case).Advise("Use smart, sensitive or insensitive.")
	}
	if len(p.Text) > maxPattern {
		return nil, fault.New(fault.InvalidPattern, "the pattern has %d bytes, and %d is the limit", len(p.Text), maxPattern).
			Advise("Search for a part of it.")
	}
	text, flags := p.Text, syntax.Perl&^syntax.OneLine
	if p.insensitive() {
		flags |= syntax.FoldCase
	}
	if p.Literal {
		text = regexp.QuoteMeta(text)
	}
	re, err := syntax.Parse(text, flags)
	if err != nil {
		return nil, patternError(p, flags, err)
	}
	if !p.Multiline && holdsNewline(re) {
		return nil, newlineError(p)
	}
	if p.Each && mayBeEmpty(re) {
		return nil, fault.New(fault.InvalidPattern, "the pattern matches the empty text, which is everywhere").
			Advise("Let it match a character at least: + instead of *, or what stands beside the place, in a group.")
	}
	if n := instructions(re); n > maxInstructions {
		return nil, fault.New(fault.InvalidPattern, "the pattern is too large: its repetitions make it %d steps, and %d is the limit", n, maxInstructions).
			Advise("Use smaller counts in {n,m}, or * and +.")
	}
	return re, nil
}

func newlineError(p Pattern) error {
	err := fault.New(fault.InvalidPattern, "the pattern holds a line end, and without multiline no match reaches over one").
		Advise("Set multiline:true, or leave the line end out.")
	at := strings.IndexByte(p.Text, '\n')
	if at < 0 && !p.Literal {
		at = strings.Index(p.Text, `\n`)
	}
	return atPosition(err, at)
}

// holdsNewline reports whether a match of a literal of re would hold a "\n".
// Classes that hold one among others do without it.
func holdsNewline(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') || slices.ContainsFunc(re.Sub, holdsNewline)
}

// mayBeEmpty reports whether a match of re can be empty.
func mayBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpLiteral:
		return len(re.Rune) == 0
	case syntax.OpCapture, syntax.OpPlus:
		return mayBeEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || mayBeEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !mayBeEmpty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, mayBeEmpty)
	}
	return true // * and ?, the ends of lines and words
}

// instructions is about how many instructions re is compiled to.
func instructions(re *syntax.Regexp) int {
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpConcat, syntax.OpRepeat, syntax.OpCapture:
		n = 0
	}
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		return max(n, 1) * max(re.Min, re.Max, 1)
	}
	return n
}

// uncaptured returns re without its capturing groups, which nobody asks for.
func uncaptured(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	return withSubs(re, uncaptured)
}

// reversed returns the expression of the texts of re read backwards.
func reversed(re *syntax.Regexp) *syntax.Regexp {
	c := withSubs(re, reversed)
	switch c.Op {
	case syntax.OpLiteral:
		c.Rune = slices.Clone(c.Rune)
		slices.Reverse(c.Rune)
	case syntax.OpConcat:
		slices.Reverse(c.Sub)
	case syntax.OpBeginLine:
		c.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		c.Op = syntax.OpBeginLine
	case syntax.OpBeginText:
		c.Op = syntax.OpEndText
	case syntax.OpEndText:
		c.Op = syntax.OpBeginText
	}
	return c
}

// withSubs returns a copy of re with f applied to its subexpressions.
func withSubs(re *syntax.Regexp, f func(*syntax.Regexp) *syntax.Regexp) *syntax.Regexp {
	c := *re
	c.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		c.Sub[i] = f(sub)
	}
	return &c
}
