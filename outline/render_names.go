package outline

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// layers renders the names of symbols, a container a line, with its first line:
// "struct conn:248: hijacked serve; fields: server …". What is at the top stands
// in a line for each kind.
type layers struct {
	o       *Outline
	groups  []group
	places  map[groupKey]int
	members []int       // group of what a symbol holds, by its index; 0 is not known yet
	total   map[row]int // how many symbols are asked for
	opened  map[row]bool
	unlined bool // containers stand without their first lines
}

// group is a container: the symbols of one name in another.
type group struct {
	groupKey
	owner  int // the symbol that tells its kind and line; -1 where none was asked for
	asked  int // how many of its symbols are asked for
	bytes  int // of its path
	opened bool
}

// groupKey names a container in another; the first group is the top.
type groupKey struct {
	in   int
	name string
}

// row is the symbols of one sort in a group.
type row struct{ group, sort int }

func newLayers(o *Outline, asked []int) *layers {
	l := &layers{
		o: o, groups: []group{{owner: -1}}, places: map[groupKey]int{}, members: make([]int, len(o.Symbols)),
		total: map[row]int{}, opened: map[row]bool{},
	}
	for _, i := range asked {
		r := l.rowOf(i)
		l.total[r]++
		l.groups[r.group].asked++
	}
	for _, i := range asked {
		if g := l.ledBy(i); g > 0 && (l.groups[g].owner < 0 || o.Symbols[l.groups[g].owner].Kind.IsDetail() && o.isMain(i)) {
			l.groups[g].owner = i
		}
	}
	return l
}

// ledBy returns the group of those that symbol i holds; 0 is none.
func (l *layers) ledBy(i int) int { return l.places[groupKey{l.groupOf(i), l.o.Symbols[i].Name}] }

// groupOf returns the group that symbol i is in.
func (l *layers) groupOf(i int) int {
	s := &l.o.Symbols[i]
	if s.Parent < 0 {
		return l.named(0, s.Container)
	}
	parent := &l.o.Symbols[s.Parent]
	if parent.Name == s.Container {
		return l.membersOf(s.Parent)
	}
	// It belongs to something else than what it stands in: in a namespace to
	// what is there, else to what stands beside it, as in Rust's impl.
	if isNamespace(parent.Kind) {
		return l.named(l.membersOf(s.Parent), s.Container)
	}
	return l.named(l.groupOf(s.Parent), s.Container)
}

// membersOf returns the group of what symbol i holds.
func (l *layers) membersOf(i int) int {
	if l.members[i] == 0 {
		l.members[i] = l.named(l.groupOf(i), l.o.Symbols[i].Name)
	}
	return l.members[i]
}

func (l *layers) named(in int, name string) int {
	if name == "" {
		return in
	}
	key := groupKey{in, name}
	g, ok := l.places[key]
	if !ok {
		g = len(l.groups)
		l.places[key] = g
		l.groups = append(l.groups, group{groupKey: key, owner: -1, bytes: l.groups[in].bytes + len(Quoted(name)) + 1})
	}
	return g
}

// code is the sort of functions in a container, and of keys: what needs no word.
const code = 0

// rowOf returns the row that symbol i stands in.
func (l *layers) rowOf(i int) row {
	g, k := l.groupOf(i), l.o.Symbols[i].Kind
	if isKey(k) || g > 0 && (k.IsFunction() || k == syntax.EnumMember) {
		return row{g, code}
	}
	return row{g, int(k)}
}

// word returns what stands in front of a row's names.
func (r row) word() string {
	switch k := syntax.Kind(r.sort); {
	case r.sort == code:
		return ""
	case k == syntax.Class:
		return "classes "
	case k == syntax.Property:
		return "properties "
	case k == syntax.String:
		return "headings "
	default:
		return k.String() + "s "
	}
}

// isKey reports whether a kind is that of keys with their values.
func isKey(k syntax.Kind) bool {
	return k == syntax.Key || k == syntax.Object || k == syntax.Array
}

func (l *layers) cost(i int) int {
	r := l.rowOf(i)
	g := &l.groups[r.group]
	bytes := len(l.entry(i)) + len(" ")
	if !g.opened {
		g.opened = true
		bytes += len(l.kind(r.group)) + g.bytes + len(`"":10000000: `)
	}
	if !l.opened[r] {
		l.opened[r] = true
		bytes += len(r.word()) + len("  …\n")
	}
	return bytes
}

func (l *layers) entry(i int) string { return Quoted(cut(l.o.Symbols[i].Name, shownSignature)) }

// Quoted returns a name as it stands among others.
func Quoted(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return strconv.Quote(name)
	}
	return name
}
