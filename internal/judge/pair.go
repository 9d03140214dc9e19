package judge

import "slices"

// pair finds for each item the symbol that is the same definition, or -1: of
// the same class and name, around the item's line, and the nearest by its
// name's line. What is demanded chooses before what is optional.
func pair(items []item, symbols []symbol) []int {
	partner := make([]int, len(items))
	taken := make([]bool, len(symbols))
	byName := map[string][]int{}
	for at, s := range symbols {
		name := plainName(s.Name)
		byName[name] = append(byName[name], at)
	}
	for _, optional := range []bool{false, true} {
		for at, i := range items {
			if i.Optional != optional {
				continue
			}
			partner[at] = nearest(i, symbols, slices.Concat(byName[plainName(i.Name)], byName[plainName(i.Also)]), taken)
			if partner[at] >= 0 {
				taken[partner[at]] = true
			}
		}
	}
	return partner
}

func nearest(i item, symbols []symbol, candidates []int, taken []bool) int {
	best, distance := -1, 0
	for _, at := range candidates {
		s := symbols[at]
		if taken[at] || s.class != i.Class && !i.Loose || i.Line < s.StartLine || i.Line > s.EndLine {
			continue
		}
		if d := max(s.nameLine-i.Line, i.Line-s.nameLine); best < 0 || d < distance {
			best, distance = at, d
		}
	}
	return best
}
