package outline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// sheet is what layers render: a line a group, in the order of what comes
// first, but for the top's, which come before all.
type sheet struct {
	*layers
	lines []*line
	of    map[int]*line // by group
}

// line is a group as it is rendered.
type line struct {
	group  int
	headed bool // it begins with its owner
	shown  int  // symbols of the group, those too that begin lines of their own
	rows   []*entries
}

// entries is a row as it is rendered.
type entries struct {
	row
	shown  int // symbols, as in line
	names  []string
	times  []int          // how many symbols a name stands for
	places map[string]int // of symbols' names
}

func (l *layers) text(shown []int) string {
	s := sheet{layers: l, of: map[int]*line{}}
	holding := make(map[int]bool) // groups of which something is shown
	for _, i := range shown {
		holding[l.groupOf(i)] = true
	}
	s.line(0)
	for _, i := range shown {
		g := l.ledBy(i)
		leads := holding[g] && l.groups[g].owner == i
		s.add(i, leads)
		if leads {
			s.line(g).headed = true
		}
	}
	var b strings.Builder
	for _, line := range s.lines {
		if line.group == 0 {
			s.writeTop(&b, line)
		} else if line.headed || slices.ContainsFunc(line.rows, func(e *entries) bool { return len(e.names) > 0 }) {
			s.write(&b, line)
		}
	}
	return b.String()
}

func (s *sheet) line(g int) *line {
	if s.of[g] == nil {
		s.of[g] = &line{group: g}
		s.lines = append(s.lines, s.of[g])
	}
	return s.of[g]
}

// add adds a symbol to its row; only as a number where it begins a line.
func (s *sheet) add(i int, leads bool) {
	r := s.rowOf(i)
	line := s.line(r.group)
	line.shown++
	at := slices.IndexFunc(line.rows, func(e *entries) bool { return e.row == r })
	if at < 0 {
		at = len(line.rows)
		line.rows = append(line.rows, &entries{row: r, places: map[string]int{}})
	}
	e := line.rows[at]
	e.shown++
	name := s.o.Symbols[i].Name
	switch before, again := e.places[name]; {
	case leads:
	case again:
		e.times[before]++
	default:
		e.places[name] = len(e.names)
		e.names, e.times = append(e.names, s.entry(i)), append(e.times, 1)
	}
}

// writeTop writes what stands at the top, a line a row.
func (s *sheet) writeTop(b *strings.Builder, line *line) {
	for _, e := range line.rows {
		if len(e.names) > 0 {
			e.write(b)
			writeEnd(b, e.shown < s.total[e.row])
		}
	}
}

func (s *sheet) write(b *strings.Builder, line *line) {
	b.WriteString(s.kind(line.group) + s.path(line.group))
	if line.headed && !s.unlined {
		b.WriteString(":" + strconv.Itoa(s.o.Symbols[s.groups[line.group].owner].StartLine))
	}
	slices.SortStableFunc(line.rows, func(x, y *entries) int { return cmp.Compare(min(x.sort, code+1), min(y.sort, code+1)) })
	separator := ": "
	for _, e := range line.rows {
		if len(e.names) > 0 {
			b.WriteString(separator)
			e.write(b)
			separator = "; "
		}
	}
	writeEnd(b, line.shown < s.groups[line.group].asked)
}

func (e *entries) write(b *strings.Builder) {
	b.WriteString(e.word())
	for n, name := range e.names {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(name)
		if e.times[n] > 1 {
			b.WriteString("×" + strconv.Itoa(e.times[n]))
		}
	}
}

// writeEnd ends a line; cut tells that it lacks something.
func writeEnd(b *strings.Builder, cut bool) {
	if cut {
		b.WriteString(" " + ellipsis)
	}
	b.WriteByte('\n')
}

// kind returns the word for what a group is, where that is to be said.
func (l *layers) kind(g int) string {
	owner := l.groups[g].owner
	if owner < 0 || isKey(l.o.Symbols[owner].Kind) || l.o.Symbols[owner].Kind == syntax.String {
		return ""
	}
	return l.o.Symbols[owner].Kind.String() + " "
}

// path returns the names of a group and of those around it, in a form that
// [Outline.Find] finds. Namespaces are left out.
func (l *layers) path(g int) string {
	separator := "."
	if o := l.groups[g].owner; o >= 0 && l.kind(g) == "" {
		separator = "/"
	}
	var names []string
	for at := g; at > 0; at = l.groups[at].in {
		if o := l.groups[at].owner; at == g || o < 0 || !isNamespace(l.o.Symbols[o].Kind) {
			names = append(names, l.groups[at].name)
		}
	}
	slices.Reverse(names)
	return Quoted(strings.Join(names, separator))
}

func isNamespace(k syntax.Kind) bool {
	return k == syntax.Namespace || k == syntax.Module || k == syntax.Package
}
