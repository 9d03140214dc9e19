package syntax

import "slices"

// defineRewritten makes the definitions that the grammar was not shown, each in
// its place.
func (a *assembly) defineRewritten() {
	made := len(a.made)
	for _, p := range a.rewritten {
		if p.name.Len() == 0 {
			continue
		}
		d := draft{rule: &Rule{}, rewritten: true}
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
	n, _ := slices.BinarySearchFunc(a.rewritten, d.Span.Start, func(p rewrittenPlace, at int) int { return p.Start - at })
	for i := n; i < len(a.rewritten) && a.rewritten[i].Start <= d.NameSpan.Start; i++ {
		if kind := a.rewritten[i].kind; kind != NoKind && a.rewritten[i].name.Len() == 0 {
			d.Kind, d.rewritten = kind, true
			if p := a.rewritten[i]; p.Start < d.NameSpan.Start && d.NameSpan.End <= p.End {
				d.Name, d.NameSpan = a.name(p.Span), p.Span
			}
			break
		}
	}
	for n--; n >= 0 && a.rewritten[n].name.Len() == 0 && a.rewritten[n].End <= d.Span.Start; n-- {
		if a.src[a.rewritten[n].End-1] == '}' || !isShortGap(a.src[a.rewritten[n].End:d.Span.Start]) {
			break
		}
		d.Span.Start = a.rewritten[n].Start
	}
}

// isLocal tells that definition i is a variable or the like inside of what only
// turned out to be a function here, by its call or by a [Rewrite]: the walk took
// it for something else and went on. So is a call that looks like a constructor.
func (a *assembly) isLocal(defs []Definition, i int) bool {
	p := defs[i].Parent
	if a.made[i].rewritten && defs[i].Kind == Constructor {
		return p < 0 || defs[p].Name != defs[i].Name
	}
	if p < 0 || !defs[i].Kind.IsDetail() || !defs[p].Kind.IsFunction() || a.made[i].rule.Hoist {
		return false
	}
	return a.made[p].rewritten || a.made[p].rule.Calls != nil
}
