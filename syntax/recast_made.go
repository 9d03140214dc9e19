package syntax

import "slices"

// defineRecast makes the definitions that the grammar was not shown, each in
// its place.
func (a *assembly) defineRecast() {
	made := len(a.made)
	for _, p := range a.recast {
		if p.name.Len() == 0 {
			continue
		}
		d := draft{rule: &Rule{}, recast: true}
		d.Kind, d.Name, d.Span, d.NameSpan = p.kind, a.name(p.name), p.Span, p.name
		d.Head, d.Body = p.Start, p.End
		a.made = append(a.made, d)
	}
	if len(a.made) > made {
		slices.SortStableFunc(a.made, func(x, y draft) int { return x.Span.Start - y.Span.Start })
	}
}

// unmask makes of a definition in the text as the grammar was shown it one in
// the text as it is.
func (a *assembly) unmask(d *draft) {
	n, _ := slices.BinarySearchFunc(a.recast, d.Span.Start, func(p recastPlace, at int) int { return p.Start - at })
	for i := n; i < len(a.recast) && a.recast[i].Start <= d.NameSpan.Start; i++ {
		if kind := a.recast[i].kind; kind != NoKind && a.recast[i].name.Len() == 0 {
			d.Kind, d.recast = kind, true
			if p := a.recast[i]; p.Start < d.NameSpan.Start && d.NameSpan.End <= p.End {
				d.Name, d.NameSpan = a.name(p.Span), p.Span
			}
			break
		}
	}
	for n--; n >= 0 && a.recast[n].name.Len() == 0 && a.recast[n].End <= d.Span.Start; n-- {
		if a.src[a.recast[n].End-1] == '}' || !isShortGap(a.src[a.recast[n].End:d.Span.Start]) {
			break
		}
		d.Span.Start = a.recast[n].Start
	}
}

// isLocal tells that definition i is a variable or the like inside of what only
// turned out to be a function here, by its call or by a [Recast]: the walk took
// it for something else and went on. So is a call that looks like a constructor.
func (a *assembly) isLocal(defs []Definition, i int) bool {
	p := defs[i].Parent
	if a.made[i].recast && defs[i].Kind == Constructor {
		return p < 0 || defs[p].Name != defs[i].Name
	}
	if p < 0 || !defs[i].Kind.IsDetail() || !defs[p].Kind.IsFunction() || a.made[i].rule.Hoist {
		return false
	}
	return a.made[p].recast || a.made[p].rule.Calls != nil
}
