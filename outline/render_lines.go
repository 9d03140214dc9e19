package outline

import (
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// heads renders a symbol a line: its first line and its head, indented by what
// is rendered around it.
type heads struct {
	o     *Outline
	asked []bool // which symbols are rendered, if there is room
}

func newHeads(o *Outline, asked []int) heads {
	l := heads{o, make([]bool, len(o.Symbols))}
	for _, i := range asked {
		l.asked[i] = true
	}
	return l
}

func (l heads) cost(i int) int { return len(l.line(i)) }

func (l heads) text(shown []int) string {
	var b strings.Builder
	last := ""
	for _, i := range shown {
		line := l.line(i)
		if line != last { // else it is another name of one declaration
			b.WriteString(line)
		}
		last = line
	}
	return b.String()
}

func (l heads) line(i int) string {
	s := &l.o.Symbols[i]
	label := s.Label()
	indent := strings.Repeat("  ", min(l.depth(i), maxIndent))
	if strings.HasPrefix(label, "#") && s.Kind == syntax.String {
		indent = "" // a heading's marks tell how deep it is
	}
	return indent + strconv.Itoa(s.StartLine) + " " + label + l.owner(s) + "\n"
}

// depth counts what a symbol is in, as far as that is rendered.
func (l heads) depth(i int) (depth int) {
	for p := l.o.Symbols[i].Parent; p >= 0; p = l.o.Symbols[p].Parent {
		if l.asked[p] {
			depth++
		}
	}
	return depth
}

// owner names what a symbol is in, where that is not rendered above it.
func (l heads) owner(s *Symbol) string {
	if s.Parent < 0 || l.asked[s.Parent] {
		return ""
	}
	return " (in " + l.o.Path(s.Parent) + ")"
}

// Label returns the symbol's head, or its kind and name where the head does not
// tell them.
func (s *Symbol) Label() string {
	switch {
	case s.Kind == syntax.String && s.Signature != "": // a heading, whose marks are shorter than the kind's name
	case !strings.Contains(s.Signature, s.Name):
		return s.Kind.String() + " " + s.Name
	case s.Kind.IsType() && !isKey(s.Kind) && strings.HasPrefix(s.Signature, s.Name) && !strings.Contains(s.Signature, s.Kind.String()):
		// One of several in a declaration, whose keyword stands above.
		return s.Kind.String() + " " + cut(s.Signature, shownSignature)
	}
	return cut(s.Signature, shownSignature)
}
