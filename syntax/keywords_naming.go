package syntax

import (
	"bytes"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

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

// withoutNameless takes out the definitions whose name was never found. What
// stands in them belongs to what is around them.
func withoutNameless(defs []Definition) []Definition {
	kept := defs[:0]
	number := make([]int, len(defs)) // of what is kept; of what is around, for the rest
	isKept := make([]bool, len(defs))
	for i, d := range defs {
		isKept[i] = d.Name != ""
		adopted := d.Parent >= 0 && !isKept[d.Parent]
		if d.Parent >= 0 {
			d.Parent = number[d.Parent]
		}
		d.Depth = 0
		if d.Parent >= 0 {
			d.Depth = kept[d.Parent].Depth + 1
		}
		if adopted {
			d.Container = containerOf(kept, d.Parent)
		}
		number[i] = d.Parent
		if isKept[i] {
			number[i] = len(kept)
			kept = append(kept, d)
		}
	}
	return kept
}

// containerOf returns how those in a definition call it; "" for none.
func containerOf(defs []Definition, parent int) string {
	if parent < 0 {
		return ""
	}
	return containerName(defs[parent].Name)
}
