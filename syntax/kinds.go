package syntax

import "slices"

// Kinds returns the kinds of the definitions that the rules of the language,
// or without a grammar its line patterns, find, in the order of their numbers;
// none where sections are found by code.
func (l *Language) Kinds() []Kind {
	var kinds []Kind
	for _, rule := range l.rules {
		kinds = append(kinds, rule.kinds()...)
	}
	if d := dialects[l.Name]; l.rules == nil && d != nil {
		for _, one := range d.lines {
			kinds = append(kinds, one.kind)
		}
		if d.heads == typedHeads || d.heads == plainHeads {
			kinds = append(kinds, Function)
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	return slices.DeleteFunc(kinds, func(k Kind) bool { return k == NoKind })
}

// kinds returns what the rule can define, each perhaps more than once. Without
// a name it is only what it makes of the definitions inside.
func (r *Rule) kinds() []Kind {
	var kinds []Kind
	for _, one := range r.Cases {
		kinds = append(kinds, one.Kind)
	}
	if r.Name == "" {
		return kinds
	}
	if r.Calls == nil {
		kinds = append(kinds, r.Kind)
	}
	kinds = append(kinds, r.Member, r.Free, r.Caps)
	for _, one := range r.Calls {
		kinds = append(kinds, one.Kind)
	}
	for _, one := range r.Kinds {
		kinds = append(kinds, one)
	}
	return kinds
}
