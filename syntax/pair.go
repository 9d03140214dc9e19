package syntax

import (
	"cmp"
	"slices"
)

// pair gives the type that is defined within another definition, and is all
// that is defined there, the same extent: in "typedef struct node { … } list;"
// and in "struct node { … } first;" neither contains the other. If both have
// the same name they are one.
func (a *assembly) pair(r *record) {
	from, _ := slices.BinarySearchFunc(a.made, r.node.Start, func(d draft, at int) int { return cmp.Compare(d.Span.Start, at) })
	var outer, inner *draft
	for i := from; i < len(a.made) && a.made[i].Span.Start < r.node.End; i++ {
		switch d := &a.made[i]; {
		case d.rule == r.rule && d.NameSpan == r.name:
			outer = d
		case d.rule == r.rule && d.Span.Start == r.node.Start: // another name
		case inner == nil && d.Kind.IsType():
			inner = d
		case inner == nil || d.Span.End > inner.Span.End:
			return
		}
	}
	if outer == nil || inner == nil || !outer.Kind.IsType() && !outer.Kind.IsDetail() {
		return
	}
	inner.Head, inner.Span = outer.Head, outer.Span
	if outer.Name == inner.Name {
		outer.Kind = NoKind
	}
}
