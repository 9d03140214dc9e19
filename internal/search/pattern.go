package search

import (
	"context"
	"regexp/syntax"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Case says whether upper and lower case are told apart.
type Case string

// The cases. Empty is CaseSmart.
const (
	CaseSmart       Case = "smart" // insensitive unless the pattern's literals hold an upper-case letter
	CaseSensitive   Case = "sensitive"
	CaseInsensitive Case = "insensitive"
)

// Pattern is what to search for.
type Pattern struct {
	Text    string // a regular expression in RE2's syntax, or plain text
	Literal bool   // Text is plain text
	Case    Case
	// Word: a match has no word character (ASCII: [0-9A-Za-z_]) before its
	// start and none after its end.
	Word bool
	// Multiline: matches may reach over line ends.
	Multiline bool
	// Each: all matches of a line are found, and not the first one alone. They
	// do not overlap, and none is empty: a pattern that matches the empty text
	// is refused.
	Each bool
}

// Matcher finds a pattern in texts. It is immutable and safe for concurrent
// use; what it learns about its automata is kept and handed from one Match to
// the next.
type Matcher struct {
	multiline bool
	each      bool
	literal   Literal // with text: the pattern is exactly this
	required  [][]Literal
	needles   []needle // one of them is in every line that matches; none: nothing is known
	leads     []needle // with multiline: every match starts with one of them

	forward  func() *program // compiled when first needed
	backward func() *program

	mu   sync.Mutex
	idle []*engine // at most maxIdle, for reuse
}

// maxIdle bounds the engines that a Matcher keeps for its next callers.
const maxIdle = 16

// Compile prepares p. A pattern that does not parse, is too long or could
// never match within a line is invalid_pattern, with the detail "position"
// (0-based byte offset in the pattern) where it can be told, and a hint.
func Compile(p Pattern) (*Matcher, error) {
	re, err := parse(p)
	if err != nil {
		return nil, err
	}
	return compile(p, uncaptured(re)), nil
}

// compile prepares the parsed pattern re, which has no groups.
func compile(p Pattern, re *syntax.Regexp) *Matcher {
	ps := pieces(re, !p.Multiline)
	m := &Matcher{multiline: p.Multiline, each: p.Each, required: requiredLiterals(ps)}
	m.needles = bestNeedles(m.required, true)
	if p.Multiline {
		m.leads = leadNeedles(ps)
	}
	if re.Op == syntax.OpLiteral && len(ps) == 1 && len(ps[0].texts) == 1 && !p.Word {
		m.literal = ps[0].texts[0]
		m.needles = []needle{newNeedle(m.literal)}
	}
	m.forward = sync.OnceValue(func() *program { return newProgram(re, p.Word, !p.Multiline) })
	m.backward = sync.OnceValue(func() *program { return newProgram(reversed(re), p.Word, !p.Multiline) })
	return m
}

// Multiline reports whether matches may reach over line ends.
func (m *Matcher) Multiline() bool { return m.multiline }

// RequiredLiterals returns what every line that matches (with Multiline: every match)
// must hold: all of the sets, of each set at least one literal. It is empty
// when nothing is known. Literals may begin with "\n", for patterns that are
// anchored at a line's start: the text counts as preceded by "\n". The caller
// does not change it.
func (m *Matcher) RequiredLiterals() [][]Literal { return m.required }

// Match calls yield with the byte offsets [start,end) of matches in b, in
// order, until yield returns false.
//
// b holds whole lines of valid UTF-8, each ended by "\n" but perhaps the last.
// Without Multiline each line is a text by itself, without its "\n": "^", "\A"
// and "$", "\z" are its ends, nothing matches the "\n", and the first match of
// each line is given, or with Each all of them. With Multiline matches do not overlap, leftmost first as
// Go's regexp has them with (?m). An empty match counts, but for one behind
// the final "\n", which is on no line.
//
// The end of ctx ends the search within milliseconds; its error is returned.
func (m *Matcher) Match(ctx context.Context, b []byte, yield func(start, end int) bool) error {
	if err := ctx.Err(); err != nil {
		return fault.From(err)
	}
	e := m.take()
	defer m.give(e)
	r := &run{engine: e, ctx: ctx, b: b, yield: yield}
	var err error
	switch {
	case len(b) == 0:
	case m.multiline:
		err = r.matches()
	default:
		err = r.lines()
	}
	if err != nil {
		return fault.From(err)
	}
	return nil
}

// take returns an engine that nobody else uses.
func (m *Matcher) take() *engine {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.idle); n > 0 {
		e := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return e
	}
	return &engine{m: m}
}

func (m *Matcher) give(e *engine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.idle) < maxIdle {
		m.idle = append(m.idle, e)
	}
}
