package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// opened is a definition whose end has not come, or a block that is none and
// holds some.
type opened struct {
	def        int // its number, -1 for a block
	owner      int // the number of what it holds belongs to: def, or that around
	kind       Kind
	pattern    *pattern
	indent     int
	base       int  // depth of brackets where it begins
	bodied     bool // the bracket is open that holds its body
	bodyIndent int  // of the line where that bracket stands
	inside     int  // column of the first line in the body, -1: none yet
	code       bool // it stands in code, or is code
	tidy       bool // all that it holds is further in
	stays      bool // its end is told by a word only
	ending     bool // it ends with the line
}

// isValue tells that the definition is a statement: it ends as one.
func (t *opened) isValue() bool { return t.kind.IsDetail() }

func (s *scanner) top() *opened {
	if len(s.open) == 0 {
		return nil
	}
	return &s.open[len(s.open)-1]
}

func (s *scanner) inCode() bool {
	t := s.top()
	return t != nil && t.code
}

// inner is how deep in brackets the members of what is open stand.
func (s *scanner) inner() int {
	t := s.top()
	switch {
	case t == nil:
		return 0
	case t.bodied:
		return t.base + 1
	}
	return t.base
}

// parent returns the number of the definition around, or -1.
func (s *scanner) parent() int {
	if t := s.top(); t != nil {
		return t.owner
	}
	return -1
}

// counts tells that a pattern means something where it stands.
func (s *scanner) counts(p *pattern) bool {
	where := p.place
	if where == byKind {
		where = anywhere
		if p.kind.IsDetail() {
			where = outside
		}
	}
	t := s.top()
	if t != nil && t.pattern.how&leaf != 0 {
		return false
	}
	switch where {
	case outside:
		return !s.inCode() && s.depth == s.inner()
	case atRoot:
		return t == nil && s.depth == 0
	case inType:
		return t != nil && t.kind.IsType() && s.depth == s.inner() && (t.bodied || s.style != byBraces)
	case inBlock:
		return t != nil && t.def < 0 && t.pattern.how&hidden != 0 && s.depth == s.inner() && (t.kind == p.kind || t.kind.IsType() && p.kind.IsType())
	}
	return true
}

// define opens the definition that a match tells of. It reports whether it did:
// there may be too many.
func (s *scanner) define(m match, indent int) bool {
	p := m.pattern
	if len(s.open) == maxOpen {
		return false
	}
	o := opened{
		def: -1, owner: s.parent(), kind: p.kind, pattern: p, indent: indent, base: s.depth, inside: -1, tidy: true,
		stays: s.flat || p.how&ends != 0, ending: p.how&alone != 0,
	}
	if p.how&resting != 0 {
		for len(s.open) > 0 {
			s.pop(s.code)
		}
		o.owner, o.indent, o.stays = -1, -1, true
	}
	if p.how&hidden == 0 && !s.reopens(&o, m) {
		s.addDefinition(&o, m)
	}
	o.code = o.kind.IsFunction() || o.isValue() && s.inCode()
	s.open = append(s.open, o)
	s.attributed = -1
	return true
}

// reopens goes on with the definition that ended last, if what is to be opened
// is a part of it.
func (s *scanner) reopens(o *opened, m match) bool {
	if s.merges == never || s.last < 0 || m.name.Len() == 0 {
		return false
	}
	d := &s.defs[s.last]
	if d.Parent != s.parent() || d.Name != s.nameOf(m) {
		return false
	}
	if s.merges == headsOnly && (o.kind != Function || d.Kind != Function) {
		return false
	}
	if s.merges == headsOnly && bytes.ContainsAny(s.src[d.Head:d.Span.End], "\r\n") {
		return false
	}
	o.kind, o.def, o.owner = d.Kind, s.last, s.last
	return true
}

// addDefinition makes the definition of what is to be opened.
func (s *scanner) addDefinition(o *opened, m match) {
	if len(s.defs) == maxDefinitions || m.head < s.taken {
		return
	}
	d := Definition{Kind: o.kind, Head: m.head, NameSpan: m.name, Parent: s.parent(), Body: -1}
	d.Span = text.Span{Start: s.startOf(m.head), End: max(m.head, m.name.End)}
	d.Name = s.nameOf(m)
	s.qualify(&d, m)
	if d.Parent >= 0 {
		p := &s.defs[d.Parent]
		d.Depth = p.Depth + 1
		if d.Container == "" {
			d.Container = containerName(p.Name)
		}
	}
	d.Kind = s.kindOf(&d, m)
	o.kind, o.def, o.owner = d.Kind, len(s.defs), len(s.defs)
	s.taken = d.Head + 1
	s.defs = append(s.defs, d)
}

// startOf returns where the comments and attributes above head begin. They
// cannot be part of what is before them.
func (s *scanner) startOf(head text.Offset) text.Offset {
	start, before := head, s.code
	if s.attributed >= 0 && s.attributed <= head {
		start, before = s.attributed, s.attributedCode
	}
	if above := leadStart(s.src, start, s.comments); above >= max(before, s.taken) {
		return above
	}
	return max(start, min(s.taken, head))
}

// pop closes the innermost that is open.
func (s *scanner) pop(end text.Offset) {
	t := s.top()
	if t.def >= 0 {
		d := &s.defs[t.def]
		d.Span.End = max(d.Span.End, end, s.taken) // it holds what has ended in it
		s.taken = max(s.taken, d.Span.End)
		if d.Body < d.NameSpan.End || d.Body > d.Span.End {
			d.Body = d.Span.End
		}
		if t.pattern.isLate() {
			s.nameLate(d)
		}
		s.last = t.def
	}
	s.open = s.open[:len(s.open)-1]
}
