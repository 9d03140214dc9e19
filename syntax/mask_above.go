package syntax

// typesAbove are the names of the types that are defined above a place.
type typesAbove struct {
	names []string       // in the order of their first definitions
	known map[string]int // indexes in names, of those before the first own and of others that do not count; never changed
	old   int            // how many of the known count
	own   map[string]bool
}

func (t *typesAbove) has(name []byte) bool {
	if i, ok := t.known[string(name)]; ok && i < t.old {
		return true
	}
	return t.own[string(name)]
}

func (t *typesAbove) add(name []byte) {
	if t.has(name) {
		return
	}
	if t.own == nil {
		t.own = map[string]bool{}
	}
	t.names = append(t.names, string(name))
	t.own[string(name)] = true
}

// first returns the first n types of a text that has been gone through, for
// going on behind them.
func (t *typesAbove) first(n int) typesAbove {
	return typesAbove{names: t.names[:n:n], known: t.known, old: n}
}

// snapshot returns the same types for going on from them.
func (t *typesAbove) snapshot() typesAbove {
	all := make(map[string]int, len(t.names))
	for i, name := range t.names {
		all[name] = i
	}
	return typesAbove{names: t.names, known: all, old: len(all)}
}
