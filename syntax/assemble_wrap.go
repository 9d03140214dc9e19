package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// wrap widens definitions to the nodes that wrap them alone.
func (a *assembly) wrap() {
	for i := len(a.records) - 1; i >= 0; i-- { // inner wraps first
		r := &a.records[i]
		switch {
		case r.rule == nil || !r.rule.Wrap:
		case r.makes:
			a.pair(r)
		default:
			a.widen(r.node)
			a.setVariableKinds(r)
		}
	}
}

// setVariableKinds gives the variables that a record wraps the kind that the
// case in it tells.
func (a *assembly) setVariableKinds(r *record) {
	if r.which == 0 {
		return
	}
	for i := a.firstFrom(r.node.Start); i < len(a.made) && a.made[i].Span.Start < r.node.End; i++ {
		if a.made[i].Kind == Variable {
			a.made[i].Kind = r.rule.Cases[r.which-1].Kind
		}
	}
}

// widen extends the only outermost definition in s over s. Definitions stand
// in the order of their starts.
func (a *assembly) widen(s text.Span) {
	from := a.firstFrom(s.Start)
	if from == len(a.made) || a.made[from].Span.Start >= s.End {
		return
	}
	only := &a.made[from]
	for _, d := range a.made[from+1:] {
		if d.Span.Start >= s.End {
			break
		}
		if d.Span.End > only.Span.End || d.Span == only.Span {
			return // another one beside it
		}
	}
	if a.opens(text.Span{Start: s.Start, End: only.Span.Start}) {
		return // a value deep inside, or one of a list
	}
	end := a.trimEnd(s)
	if !bytes.ContainsAny(a.src[s.Start:only.Head], "\r\n") && !bytes.HasPrefix(a.src[s.Start:], []byte("@")) {
		only.Head = s.Start
	}
	if only.Body >= only.Span.End {
		only.Body = end
	}
	only.Span = text.Span{Start: s.Start, End: max(end, only.Span.End)}
}

// opens tells that a bracket is opened in s that is not closed there.
func (a *assembly) opens(s text.Span) bool {
	depth := 0
	for _, c := range a.language.CodeOnly(a.src[s.Start:s.End]) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return depth > 0
}
