package search

import (
	"context"
	"regexp"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Replacer tells what replaces each match of a pattern. It is immutable and
// safe for concurrent use.
type Replacer struct {
	// Matcher finds each match, as Pattern.Each has it.
	Matcher  *Matcher
	template template
	// groups find the groups of a match: of one at the start of a text, and of
	// one behind a character. They are nil where the template has none.
	groups [2]*regexp.Regexp
}

// NewReplacer prepares the replacement of what a pattern matches. The pattern
// is case-sensitive, and reaches over line ends if it holds one; errors are
// those of [Compile]. In the replacement $1 and ${1} stand for a group, ${name}
// and $name for a named one, $0 for the match, and $$ for a dollar; one of a
// literal pattern is taken literally. A group that is not there is
// invalid_pattern.
func NewReplacer(pattern string, literal bool, replacement string) (*Replacer, error) {
	p := Pattern{Text: pattern, Literal: literal, Case: CaseSensitive, Multiline: true, Each: true}
	re, err := parse(p)
	if err != nil {
		return nil, err
	}
	p.Multiline = holdsNewline(re)
	r := &Replacer{Matcher: compile(p, uncaptured(re)), template: template{{text: replacement, group: noGroup}}}
	if literal {
		return r, nil
	}
	if r.template, err = parseTemplate(replacement, re.CapNames()); err != nil || !r.template.hasGroups() {
		return r, err
	}
	for i, before := range []string{`\A`, `\A(?s:.)`} {
		if r.groups[i], err = regexp.Compile(before + "(?:" + re.String() + ")"); err != nil {
			return nil, fault.New(fault.InvalidPattern, "%v", err)
		}
	}
	return r, nil
}

// Replace calls yield with the span of each match in t and what replaces it, in
// order, until yield fails; that error is returned. Line ends in what replaces
// it are LF, also those that a group took from the text.
func (r *Replacer) Replace(ctx context.Context, t text.Text, yield func(span text.Span, fresh string) error) error {
	s := scan{matcher: r.Matcher, after: -1}
	s.each = func(p *place, start, end int) error {
		fresh, err := r.expand(p, start, end)
		if err != nil {
			return err
		}
		span := text.Span{Start: p.offset(start)}
		p.advance(end)
		span.End = p.offset(end)
		return yield(span, fresh)
	}
	_, err := s.whole(ctx, t, usualSizes, nil)
	return err
}

// expand returns what replaces the match [start,end) of p's text, which begins
// in the line at which p is.
func (r *Replacer) expand(p *place, start, end int) (string, error) {
	if r.groups[0] == nil {
		return r.template.expand(p.norm, []int{start, end}), nil
	}
	b, base := p.norm, 0
	if !r.Matcher.multiline {
		b, base = p.lineText(), p.at
	}
	from, groups := start-base, r.groups[0]
	if from > 0 {
		_, size := utf8.DecodeLastRune(b[:from])
		from, groups = from-size, r.groups[1]
	}
	b = b[from:]
	spans := groups.FindSubmatchIndex(b)
	if spans == nil || base+from+spans[1] != end {
		return "", fault.New(fault.Internal, "the groups of a match were not found")
	}
	spans[0] = start - base - from
	return r.template.expand(b, spans), nil
}
