package diff

// lineIndex knows which lines of a text are the same by a match.
type lineIndex struct {
	match Match
	ids   map[string]int32 // of a line's key
	lines []int32          // the id of each line
	next  []int32          // the next line with the same id, 0 for none
	first []int32          // by id: the first line that has it
	count []int32          // by id: how many have it
}

// index returns the index of the present match, made when it is first needed.
func (s *search) index(p *placed) *lineIndex {
	if x := s.indexes[p.match]; x != nil {
		return x
	}
	n := p.lines.len()
	x := &lineIndex{match: p.match, ids: make(map[string]int32), lines: make([]int32, n), next: make([]int32, n)}
	for i := n - 1; i >= 0; i-- {
		key := p.match.key(p.lines.line(i))
		id, known := x.ids[key]
		if !known {
			id = int32(len(x.first))
			x.ids[key] = id
			x.first, x.count = append(x.first, 0), append(x.count, 0)
		}
		x.lines[i], x.next[i] = id, x.first[id]
		x.first[id] = int32(i)
		x.count[id]++
	}
	s.steps -= n
	s.indexes[p.match] = x
	return x
}

// find returns where all old lines of a hunk, of which there is at least one,
// stand one behind the other, in ascending order.
func (x *lineIndex) find(p *placed, steps *int) []int32 {
	if len(p.old) > len(x.lines) {
		return nil
	}
	wanted := make([]int32, len(p.old))
	rarest := 0
	for i, line := range p.old {
		id, known := x.ids[x.match.key(line)]
		if !known {
			return nil
		}
		wanted[i] = id
		if x.count[id] < x.count[wanted[rarest]] {
			rarest = i
		}
	}
	if few := int(x.count[wanted[rarest]]); few*len(wanted) > len(x.lines)+len(wanted) {
		return x.findAll(wanted, steps)
	}
	var places []int32
	id := wanted[rarest]
	for i, line := 0, x.first[id]; i < int(x.count[id]); i, line = i+1, x.next[line] {
		start := int(line) - rarest
		if start < 0 || start+len(wanted) > len(x.lines) {
			continue
		}
		if x.standAt(wanted, start, steps) {
			places = append(places, int32(start))
		}
	}
	return places
}

func (x *lineIndex) standAt(wanted []int32, start int, steps *int) bool {
	for i, id := range wanted {
		if x.lines[start+i] != id {
			*steps -= i + 1
			return false
		}
	}
	*steps -= len(wanted)
	return true
}

// findAll finds them in time linear in the text and the hunk, whatever they
// repeat: the algorithm of Knuth, Morris and Pratt.
func (x *lineIndex) findAll(wanted []int32, steps *int) (places []int32) {
	back := make([]int32, len(wanted)+1) // by how many match: how many match still when the next does not
	for i, k := 1, int32(0); i < len(wanted); i++ {
		for k > 0 && wanted[i] != wanted[k] {
			k = back[k]
		}
		if wanted[i] == wanted[k] {
			k++
		}
		back[i+1] = k
	}
	k := int32(0)
	for i, id := range x.lines {
		for k > 0 && (int(k) == len(wanted) || id != wanted[k]) {
			k = back[k]
		}
		if id == wanted[k] {
			k++
		}
		if int(k) == len(wanted) {
			places = append(places, int32(i+1-len(wanted)))
		}
	}
	*steps -= 2 * (len(x.lines) + len(wanted))
	return places
}
