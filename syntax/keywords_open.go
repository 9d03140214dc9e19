package syntax

import (
	"bytes"
	"strings"

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

// define opens the definition that a match tells of. It tells whether it did:
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

// nameOf returns the name that a match found.
func (s *scanner) nameOf(m match) string {
	if m.pattern.name != "" {
		return m.pattern.name
	}
	name := s.src[m.name.Start:m.name.End]
	if m.pattern.steps[0].op != stepBlock {
		return cleanName(name)
	}
	labels := strings.FieldsFunc(string(name[:min(len(name), maxPatternBytes)]), func(r rune) bool { return r == ' ' || r == '\t' || r == '"' })
	return cleanName([]byte(strings.Join(labels, ".")))
}

// containerName returns how those in a block call it that extends another.
func containerName(name string) string {
	if rest, ok := strings.CutPrefix(name, "extension "); ok {
		return rest
	}
	rest, ok := strings.CutPrefix(name, "impl")
	if !ok || rest == "" || isWordByte(rest[0]) {
		return name
	}
	if _, after, found := strings.Cut(rest, " for "); found {
		rest = after
	} else if strings.HasPrefix(rest, "<") {
		_, rest, _ = strings.Cut(rest, "> ")
	}
	rest, _, _ = strings.Cut(strings.TrimSpace(rest), "<")
	return rest
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

// qualify takes the container off a name.
func (s *scanner) qualify(d *Definition, m match) {
	if m.owner.Len() > 0 {
		d.Container = cleanName(s.src[m.owner.Start:m.owner.End])
		return
	}
	if s.separators == "" || m.pattern.how&fixed != 0 || d.Name == "" || !isWordByte(d.Name[0]) && !s.letter[d.Name[0]] || !d.Kind.IsFunction() && !d.Kind.IsType() {
		return
	}
	if s.tails && strings.HasPrefix(d.Name, "operator") {
		d.Name = cleanOperator(d.Name)
	}
	if strings.Contains(d.Name, "::") {
		d.Container, d.Name = splitQualified(d.Name, "::")
		if s.tails && d.Container != "" && d.Kind == Function {
			d.Kind = Method
		}
		return
	}
	at := strings.LastIndexAny(d.Name, s.separators)
	if at <= 0 || at+1 == len(d.Name) {
		return
	}
	if d.Name[at] == ':' {
		d.Kind = Method // Lua's
	}
	d.Container, d.Name = d.Name[:at], d.Name[at+1:]
	switch before, isPrototype := strings.CutSuffix(d.Container, ".prototype"); {
	case isPrototype:
		d.Container, d.Kind = before, Method
	case s.receivers || d.Container == "module.exports" || d.Container == "exports" || d.Container == "this" || d.Container == "self":
		d.Container = ""
	}
}

// kindOf returns the kind that a definition has where it stands.
func (s *scanner) kindOf(d *Definition, m match) Kind {
	if d.Kind == Variable && s.capitals && isCaps(d.Name) {
		return Constant
	}
	if d.Kind != Function && d.Kind != Method || m.pattern.how&fixed != 0 {
		return d.Kind
	}
	if rest, ok := strings.CutPrefix(d.Name, "operator"); ok && rest != "" && !isWordByte(rest[0]) {
		return Operator
	}
	t := s.top()
	member := t != nil && t.pattern.how&ends == 0 && (t.kind.IsType() || t.kind == Module && s.moduleMethods)
	switch {
	case d.Kind == Function && !member, d.Kind == Method && t != nil && t.code && s.localHeads:
		return Function
	case s.makers[d.Name]:
		return Constructor
	case s.classConstructors && d.Container != "" && (d.Name == d.Container || strings.HasPrefix(d.Name, d.Container+".")):
		return Constructor
	}
	return Method
}

// pop closes the innermost that is open.
func (s *scanner) pop(end text.Offset) {
	t := s.top()
	if t.def >= 0 {
		d := &s.defs[t.def]
		d.Span.End = max(d.Span.End, end)
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

func (p *pattern) isLate() bool { return p.steps[len(p.steps)-1].op == stepLate }

// nameLate names a definition by what stands behind its body: C's typedef.
func (s *scanner) nameLate(d *Definition) {
	from := max(d.Head, d.Span.End-maxPatternBytes)
	if at := bytes.LastIndexByte(s.src[from:d.Span.End], '}'); at >= 0 {
		from += at + 1
	}
	end := d.Span.End
	if at := pointerEnd(s.src[from:end]); at > 0 {
		end = from + at
	}
	if name := s.lastName(from, end); name.Len() > 0 {
		d.NameSpan = name
	}
	d.Name = cleanName(s.src[d.NameSpan.Start:d.NameSpan.End])
	d.Body = max(d.Body, d.Head)
}

// pointerEnd returns where the name ends in the type of a pointer to a
// function, "(*name)(", or 0.
func pointerEnd(b []byte) int {
	open := bytes.IndexByte(b, '(')
	if open < 0 {
		return 0
	}
	end := bytes.IndexByte(b[open:], ')') + open
	if rest := bytes.TrimLeft(b[end+1:], " \t\r\n"); end <= open || len(rest) == 0 || rest[0] != '(' && rest[0] != '[' {
		return 0
	}
	return end
}

// lastName returns the last name before end that no bracket follows.
func (s *scanner) lastName(from, end int) text.Span {
	for end > from && !s.letter[s.src[end-1]] {
		if end--; s.src[end] == ']' {
			if n := bytes.LastIndexByte(s.src[from:end], '['); n >= 0 {
				end = from + n
			}
		}
	}
	start := end
	for start > from && s.letter[s.src[start-1]] {
		start--
	}
	return text.Span{Start: start, End: end}
}

// withoutNameless takes out the definitions whose name was never found.
func withoutNameless(defs []Definition) []Definition {
	kept := defs[:0]
	number := make([]int, len(defs))
	for i, d := range defs {
		if d.Parent >= 0 {
			d.Parent = number[d.Parent]
		}
		d.Depth = 0
		if d.Parent >= 0 {
			d.Depth = kept[d.Parent].Depth + 1
		}
		number[i] = d.Parent
		if d.Name != "" {
			number[i] = len(kept)
			kept = append(kept, d)
		}
	}
	return kept
}
