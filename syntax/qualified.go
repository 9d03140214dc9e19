package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// qualify sets the container that the definition itself tells.
func (a *assembly) qualify(d *draft, scope string) {
	separator := a.language.Separator
	if scope != "" {
		d.Container, d.scoped = scope, true
	}
	if separator == "" || d.rule.Calls != nil || !isQualified(d.Kind) {
		return
	}
	whole := d.Name
	if len(whole) >= maxNameBytes-utf8.UTFMax { // it was cut
		whole = strings.Join(strings.Fields(string(a.src[d.NameSpan.Start:d.NameSpan.End])), " ")
	}
	container, name := splitQualified(whole, separator)
	if name == "" { // it is not typed to its end
		return
	}
	if container != "" {
		d.Container, d.scoped = cutName(container), true
	}
	if d.Name = cutName(name); container != "" {
		d.NameSpan = lastIn(a.src, d.NameSpan, name)
	}
}

// lastIn returns where in s the name stands last, if it does in so many words.
func lastIn(src []byte, s text.Span, name string) text.Span {
	if at := bytes.LastIndex(src[s.Start:s.End], []byte(name)); at >= 0 {
		return text.Span{Start: s.Start + at, End: s.Start + at + len(name)}
	}
	return s
}

// isQualified tells that a name of the kind stands in a container where it has
// separators; that of a namespace is one name.
func isQualified(k Kind) bool { return k.IsFunction() || k.IsType() || k.IsDetail() || k == Module }

// isOfClass tells that a method has the name of its class: C++ marks its
// constructors by nothing else.
func isOfClass(d *Definition, separator string) bool {
	if separator == "" {
		return false
	}
	rest, found := strings.CutSuffix(d.Container, d.Name)
	return found && (rest == "" || strings.HasSuffix(rest, separator))
}

// splitQualified divides a name, as it stands before a definition, into the
// container that it names and the name proper, both without the arguments of
// templates: "Heap<T, Less<T>>::push" is push in Heap.
func splitQualified(qualified, separator string) (container, name string) {
	if qualified == "" || !isWordByte(qualified[0]) && !strings.HasPrefix(qualified, separator) {
		return "", qualified // Ruby's operators
	}
	operator := operatorAt(qualified)
	head, tail := qualified[:operator], qualified[operator:]
	var b strings.Builder
	depth := 0
	for _, r := range head {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	head = strings.TrimSpace(strings.TrimPrefix(b.String(), separator))
	if strings.Contains(head, separator) {
		head = strings.ReplaceAll(head, " ", "")
	}
	if at := strings.LastIndex(head, separator); at >= 0 {
		container, head = head[:at], head[at+len(separator):]
	}
	return container, head + cleanOperator(tail)
}

// cleanOperator gives the name of an operator one look: "operator==",
// "operator()", "operator new", "operator bool" of "operator bool() const".
func cleanOperator(name string) string {
	what := strings.TrimSpace(strings.TrimPrefix(name, "operator"))
	switch {
	case what == "":
		return name
	case !isWordByte(what[0]) && what[0] != ':':
		return "operator" + strings.ReplaceAll(what, " ", "")
	}
	what, _, _ = strings.Cut(what, "(")
	return "operator " + strings.TrimSpace(what)
}

// operatorAt returns where the word operator begins the last part of a name,
// or the name's length.
func operatorAt(name string) int {
	for from := 0; ; {
		at := strings.Index(name[from:], "operator")
		if at < 0 {
			return len(name)
		}
		at += from
		from = at + len("operator")
		if (at == 0 || strings.IndexByte(": >", name[at-1]) >= 0) && (from == len(name) || !isWordByte(name[from])) {
			return at
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
