package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// branches are those of one #if. If one of them is not whole by itself, as
// "if (x) {" in each of two, the grammar is shown the first only.
type branches struct {
	branch
	kept   branch      // the one that the grammar is shown
	lines  []text.Span // the directives
	prev   byte        // what stands before
	broken bool        // one is not whole
	never  bool        // the first is "#if 0"
}

// branch tells of a part of the text whether it is whole.
type branch struct {
	first, last    byte // of what counts, 0 if there is nothing
	braces, parens depth
}

// depth is how many more have been opened than closed: now, and at the least.
type depth struct{ now, least int }

func (d *depth) add(n int) {
	d.now += n
	d.least = min(d.least, d.now)
}

func (b *branch) note(c byte) {
	if b.first == 0 {
		b.first = c
	}
	b.last = c
	switch c {
	case '{':
		b.braces.add(1)
	case '}':
		b.braces.add(-1)
	case '(':
		b.parens.add(1)
	case ')':
		b.parens.add(-1)
	}
}

// absorb adds a branch that stands in this one.
func (b *branch) absorb(inner branch) {
	if b.first == 0 {
		b.first = inner.first
	}
	b.last = inner.last
	b.braces.add(inner.braces.least)
	b.braces.add(inner.braces.now - inner.braces.least)
	b.parens.add(inner.parens.least)
	b.parens.add(inner.parens.now - inner.parens.least)
}

// whole tells that the branch can stand for itself.
func (b *branch) whole() bool {
	if b.braces != (depth{}) || b.parens != (depth{}) {
		return false
	}
	return b.first == 0 || strings.IndexByte(";},:>", b.last) >= 0 && strings.IndexByte("{})],.|&+?=<>%^!\"0", b.first) < 0
}

// directive handles the line at i that begins with "#", and returns its end.
func (s *masker) directive(i int) int {
	end := s.directiveEnd(i)
	at := i + 1
	for at < end && (s.src[at] == ' ' || s.src[at] == '\t') {
		at++
	}
	word := string(s.wordAt(at))
	s.simplify(word, i, at+len(word), end)
	n := len(s.groups)
	switch {
	case strings.HasPrefix(word, "if"):
		never := string(bytes.TrimSpace(s.src[at+len(word):end])) == "0"
		s.groups = append(s.groups, branches{prev: s.prev, never: never, broken: s.unfinished(), lines: []text.Span{{Start: i, End: end}}})
	case n > 0 && (strings.HasPrefix(word, "el") || word == "endif"):
		b := &s.groups[n-1]
		b.finish()
		b.lines = append(b.lines, text.Span{Start: i, End: end})
		if word != "endif" {
			s.prev = b.prev
			break
		}
		s.groups = s.groups[:n-1]
		s.maskBranches(b)
	}
	return end
}

// unfinished tells that something has begun that cannot end here.
func (s *masker) unfinished() bool {
	return s.paren > 0 || s.value || isWordByte(s.prev) || strings.IndexByte("=+-*/%&|^<?.(!~", s.prev) >= 0
}

// directiveEnd returns the end of the directive at i: of its line, or of that
// in which a comment ends.
func (s *masker) directiveEnd(i int) int {
	end := s.lineEnd(i)
	for at := i; at < end && s.family != familySharp; at++ {
		if past := s.skipComment(at); past > at {
			if at = past - 1; past > end {
				end = s.lineEnd(past)
			}
		} else if s.src[at] == '"' || s.src[at] == '\'' {
			at = s.quoted(at) - 1
		}
	}
	return end
}

// simplify blanks what grammars do not take in the directive at i, whose word
// ends at rest.
func (s *masker) simplify(word string, i, rest, end int) {
	switch {
	case s.family == familySharp:
		const known = " if elif else endif region endregion line pragma nullable error define undef "
		if !strings.Contains(known, " "+word+" ") {
			s.mask(i, end)
		}
	case strings.HasSuffix(word, "if") && bytes.Contains(s.src[rest:end], []byte("__has_")):
		s.show(rest, end, " 1")
	case s.enum && !strings.HasPrefix(word, "if") && !strings.HasPrefix(word, "e"):
		s.mask(i, end)
	case word == "define": // a comment ends one that goes on
		for at := rest; at < end; at++ {
			if past := s.skipComment(at); past > at && s.src[at+1] == '*' {
				s.mask(at, min(past, end))
				at = past - 1
			}
		}
	}
}

// finish ends a branch.
func (b *branches) finish() {
	if len(b.lines)-1 == b.keep() {
		b.kept = b.branch
	}
	b.broken = b.broken || !b.whole()
	b.branch = branch{}
}

// keep tells which branch the grammar is shown if one is not whole.
func (b *branches) keep() int {
	if b.never {
		return 1
	}
	return 0
}

// maskBranches blanks what the grammar is not shown of the branches, and counts the
// rest for the branch that they stand in.
func (s *masker) maskBranches(b *branches) {
	if n := len(s.groups); n > 0 && b.kept.first != 0 {
		s.groups[n-1].absorb(b.kept)
	}
	if !b.broken {
		return
	}
	for i, line := range b.lines {
		if i != b.keep() && i+1 < len(b.lines) {
			line.End = b.lines[i+1].Start
		}
		s.out = append(s.out, maskedSpan{Span: line})
	}
}
