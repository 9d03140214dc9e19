package diff

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Conflict is a part of a base text that both sides changed, each in its own
// way, or next to each other.
type Conflict struct {
	// Base is the part, whole lines; Old is its text.
	Base text.Span
	Old  string
	// Ours and Theirs stand in its place on the two sides.
	Ours, Theirs string
}

// Merge makes both the changes from base to ours and those from base to
// theirs, line by line (diff3). What both sides changed alike is changed once;
// what they changed differently, or in adjoining lines, is a conflict. With
// conflicts there is no merged text.
//
// Where equal lines stand in a row or come again, the changes can be seen in
// several ways. Merge looks at two, takes as changed what others would, and
// is clean only where all agree: nobody finds a conflict where it does not.
func Merge(base, ours, theirs string) (merged string, conflicts []Conflict) {
	switch {
	case ours == theirs || theirs == base:
		return ours, nil
	case ours == base:
		return theirs, nil
	}
	a, b := views(base, ours), views(base, theirs)
	merged, conflicts = merge(base, a[0], b[0])
	if len(conflicts) > 0 {
		return "", conflicts
	}
	again, conflicts := merge(base, a[1], b[1])
	switch {
	case len(conflicts) > 0:
		return "", conflicts
	case again != merged:
		return "", []Conflict{{Base: text.Span{End: len(base)}, Old: base, Ours: ours, Theirs: theirs}}
	}
	return merged, nil
}

func merge(base string, ours, theirs []reach) (merged string, conflicts []Conflict) {
	m := merger{base: base, sides: [2][]reach{ours, theirs}}
	m.run()
	if len(m.conflicts) > 0 {
		return "", m.conflicts
	}
	m.out.WriteString(base[m.at:])
	return m.out.String(), nil
}

// views returns what turns base into side, found from the start and from the
// end.
func views(base, side string) [2][]reach {
	edits, fromEnd := compute(base, side, true)
	l := lineCounts{base: base, side: side}
	return [2][]reach{l.join(reaches(base, edits)), l.join(reaches(base, fromEnd))}
}

// maxDoubtful is how many lines between two edits may be matched with others.
const maxDoubtful = 4

// lineCounts tells which lines are alone of their kind in two texts.
type lineCounts struct {
	base, side     string
	inBase, inSide map[string]int // nil until asked for
}

// join widens two edits to each other where only few lines stand between them
// and none is alone of its kind in both texts: those lines might be matched
// with others. It keeps the edits ordered by where what they might be told of
// begins, which [merger.next] relies on.
func (l *lineCounts) join(edits []reach) []reach {
	for i := len(edits) - 1; i > 0; i-- {
		a, b := &edits[i-1], &edits[i]
		if l.doubtful(l.base[a.Span.End:b.Span.Start]) {
			a.over.End = max(a.over.End, b.Span.Start)
			b.over.Start = min(b.over.Start, a.Span.End)
		}
		a.over.Start = min(a.over.Start, b.over.Start) // b may slide past a
	}
	return edits
}

func (l *lineCounts) doubtful(gap string) bool {
	if strings.Count(gap, "\n") > maxDoubtful {
		return false
	}
	if l.inBase == nil {
		l.inBase, l.inSide = countEach(l.base), countEach(l.side)
	}
	for line := range strings.Lines(gap) {
		if l.inBase[line] == 1 && l.inSide[line] == 1 {
			return false
		}
	}
	return true
}

func countEach(s string) map[string]int {
	n := make(map[string]int)
	for line := range strings.Lines(s) {
		n[line]++
	}
	return n
}

// reach is an edit with all lines that it might be told of.
type reach struct {
	Edit
	over text.Span // holds Span
}

type merger struct {
	base      string
	sides     [2][]reach
	at        int // base is done up to here
	out       strings.Builder
	conflicts []Conflict
}

// run takes groups of edits that touch each other from both sides.
func (m *merger) run() {
	for len(m.sides[0])+len(m.sides[1]) > 0 {
		from := m.next()
		over := m.sides[from][0].over
		var group [2][]reach
		for grown := true; grown; {
			grown = false
			for side := range m.sides {
				for len(m.sides[side]) > 0 && touches(m.sides[side][0].over, over) {
					r := m.sides[side][0]
					m.sides[side] = m.sides[side][1:]
					group[side] = append(group[side], r)
					over = text.Span{Start: min(over.Start, r.over.Start), End: max(over.End, r.over.End)}
					grown = true
				}
			}
		}
		m.mergeGroup(over, group)
	}
}

// next returns the side whose next edit begins first.
func (m *merger) next() int {
	switch {
	case len(m.sides[0]) == 0:
		return 1
	case len(m.sides[1]) == 0 || m.sides[0][0].over.Start <= m.sides[1][0].over.Start:
		return 0
	}
	return 1
}

// touches reports whether two parts overlap or adjoin.
func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// mergeGroup merges a group of edits, which lie in over.
func (m *merger) mergeGroup(over text.Span, group [2][]reach) {
	m.out.WriteString(m.base[m.at:over.Start])
	m.at = over.End
	ours, theirs := changed(m.base, over, group[0]), changed(m.base, over, group[1])
	switch {
	case len(group[1]) == 0 || ours == theirs:
		m.out.WriteString(ours)
	case len(group[0]) == 0:
		m.out.WriteString(theirs)
	default:
		m.conflicts = append(m.conflicts, Conflict{
			Base: over, Old: m.base[over.Start:over.End], Ours: ours, Theirs: theirs,
		})
	}
}

// changed returns base[over] with edits made in it.
func changed(base string, over text.Span, edits []reach) string {
	var b strings.Builder
	at := over.Start
	for _, e := range edits {
		b.WriteString(base[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(base[at:over.End])
	return b.String()
}

// reaches tells of each edit how far up and down it could be moved without
// changing the result: an insert or a deletion slides over lines that are
// equal to those at its other end.
func reaches(base string, edits []Edit) []reach {
	out := make([]reach, len(edits))
	for i, e := range edits {
		r := reach{Edit: e, over: e.Span}
		moved := e.New // what slides
		if moved == "" {
			moved = base[e.Span.Start:e.Span.End]
		}
		if e.New == "" || e.Span.Len() == 0 {
			r.over.Start -= slideUp(base[:e.Span.Start], moved)
			r.over.End += slideDown(base[e.Span.End:], moved)
		}
		out[i] = r
	}
	return out
}

// slideDown returns how many bytes of whole lines at the start of after are
// the lines of block, over and over.
func slideDown(after, block string) (n int) {
	lines := slices.Collect(strings.Lines(block))
	for i := 0; ; i++ {
		line := lines[i%len(lines)]
		if !strings.HasPrefix(after[n:], line) || !strings.HasSuffix(line, "\n") {
			return n
		}
		n += len(line)
	}
}

// slideUp is slideDown towards the start.
func slideUp(before, block string) (n int) {
	lines := slices.Collect(strings.Lines(block))
	slices.Reverse(lines)
	for i := 0; ; i++ {
		line := lines[i%len(lines)]
		rest := before[:len(before)-n]
		if !strings.HasSuffix(line, "\n") || !strings.HasSuffix(rest, line) || !startsLine(rest, len(rest)-len(line)) {
			return n
		}
		n += len(line)
	}
}
