package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// arrange puts the definitions in order and gives them parents.
func (a *assembly) arrange() []Definition {
	slices.SortStableFunc(a.made, func(x, y draft) int {
		return cmp.Or(cmp.Compare(x.Span.Start, y.Span.Start), cmp.Compare(y.Span.End, x.Span.End))
	})
	out := a.nested()
	if a.dropStrangers(out) {
		out = a.nested()
	}
	for a.closeFunctions(out) {
		out = a.nested()
	}
	for i := range out {
		a.setContainer(out, i)
	}
	return out
}

func (a *assembly) nested() []Definition {
	out := make([]Definition, len(a.made))
	for i := range a.made {
		out[i] = a.made[i].Definition
	}
	nest(out)
	return out
}

// nest gives each definition the innermost one around it as parent. A
// definition that would cross its parent's end is cut there.
func nest(defs []Definition) {
	var open []int
	for i := range defs {
		d := &defs[i]
		for len(open) > 0 && !holds(&defs[open[len(open)-1]], d) {
			open = open[:len(open)-1]
		}
		d.Parent, d.Depth = -1, len(open)
		if len(open) > 0 {
			d.Parent = open[len(open)-1]
			d.cutTo(defs[d.Parent].Span.End)
		}
		open = append(open, i)
	}
}

// cutTo makes d end at end at the latest, with all that it tells of itself.
func (d *Definition) cutTo(end text.Offset) {
	for _, o := range []*text.Offset{&d.Span.End, &d.Head, &d.Body, &d.NameSpan.Start, &d.NameSpan.End} {
		*o = min(*o, end)
	}
}

// holds tells that inner stands inside outer. Definitions of the same extent
// stand beside each other: the names of one declaration.
func holds(outer, inner *Definition) bool {
	return inner.Span.Start < outer.Span.End && inner.Span != outer.Span
}

// setContainer gives definition i its container, and the kind that it has in there.
func (a *assembly) setContainer(defs []Definition, i int) {
	d, draft := &defs[i], &a.made[i]
	if d.Parent < 0 && draft.rule.Free != NoKind && !draft.scoped && d.Kind == draft.rule.Kind {
		d.Kind = draft.rule.Free
	}
	if d.Parent >= 0 {
		parent := &a.made[d.Parent]
		if defs[d.Parent].Kind.IsType() || defs[d.Parent].Kind == EnumMember {
			d.Kind = draft.rule.member(d.Kind)
		}
		if !draft.scoped {
			d.Container = cmp.Or(parent.inner, defs[d.Parent].Name)
		}
		if parent.rule == draft.rule && d.Kind == Variable && d.Span.End == defs[d.Parent].Span.End { // a = b = 0
			d.Kind, d.Container = defs[d.Parent].Kind, defs[d.Parent].Container
		}
		if draft.rule.Hoist && defs[d.Parent].Kind.IsFunction() {
			d.Container = defs[d.Parent].Container
		}
	}
	if d.Kind == Method && isOfClass(d, a.language.Separator) {
		d.Kind = Constructor
	}
}

// closeRests extends the definitions that hold all that follows them to the
// next one like them, or to the text's end.
func (a *assembly) closeRests() {
	end := len(bytes.TrimRight(a.src, " \t\r\n\v\f"))
	for i := len(a.made) - 1; i >= 0; i-- {
		d := &a.made[i]
		if !d.rule.Rest || d.Body < d.Span.End {
			continue
		}
		if end > d.Span.End {
			d.Span.End = end
		}
		end = len(bytes.TrimRight(a.src[:d.Span.Start], " \t\r\n\v\f"))
	}
}
