package outline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

const (
	// maxQuery is how much of a query is looked at, in bytes.
	maxQuery = 512
	// maxNear is how many near names are told.
	maxNear = 5
)

// Find returns the symbols that a query names: "name", "Type.method",
// "path/of/headings". Names may be joined by any of the usual separators, and
// names in front may be left out. What is named from the top on counts before
// what is named in part, a definition before its announcement, a class before
// its constructor.
//
// Where the query names nothing as written, it may differ in case if just one
// symbol is meant. Else near are the nearest names, the best first.
func (o *Outline) Find(query string) (found []int, near []string) {
	query = strings.TrimSpace(query[:min(len(query), maxQuery)])
	bare := Bare(query)
	asWritten := func(s string) string { return s }
	for _, try := range []finder{{o, query, asWritten}, {o, bare, asWritten}, {o, bare, uniform}} {
		if found = try.all(); len(found) > 0 {
			return found, nil
		}
	}
	inAnyCase := func(s string) string { return strings.ToLower(uniform(s)) }
	if found = (finder{o, bare, inAnyCase}).all(); len(found) == 1 {
		return found, nil
	}
	return nil, o.near(bare)
}

// Bare returns a query without what people write around a name: "func
// (*T).Name()", "## Heading", "/key".
func Bare(q string) string {
	q = strings.TrimLeft(q, "#/. ")
	if at := strings.LastIndexByte(q, ' '); at > 0 && strings.Trim(q[:at], "abcdefghijklmnopqrstuvwxyz ") == "" {
		q = q[at+1:] // keywords
	}
	q = strings.TrimSuffix(q, "()")
	if inner, after, ok := strings.Cut(q, ")"); ok && strings.HasPrefix(inner, "(") {
		q = strings.TrimLeft(inner, "(*& ") + after
	}
	return q
}

// rank tells how much of a symbol's path a query names.
type rank int

const (
	notNamed rank = iota
	inPart
	fromTop
)

// finder compares a query with symbols, names as fold makes them.
type finder struct {
	o     *Outline
	query string
	fold  func(string) string
}

// all returns the symbols that the query names best.
func (f finder) all() []int {
	query := f.fold(f.query)
	if query == "" {
		return nil
	}
	var found []int
	best := inPart
	for i := range f.o.Symbols {
		switch r := f.match(i, query); {
		case r > best:
			found, best = append(found[:0], i), r
		case r == best:
			found = append(found, i)
		}
	}
	return f.o.narrow(found)
}

// match ranks symbol i. Each step takes a name off the query's end, so that
// there are at most as many as the query has bytes.
func (f finder) match(i int, query string) rank {
	rest, ok := cutName(query, f.fold(f.o.Symbols[i].Name))
	switch {
	case !ok:
		return notNamed
	case rest != "":
		return f.matchContainer(i, rest)
	case f.isTop(i):
		return fromTop
	}
	return inPart
}

// matchContainer ranks symbol i by what the query has in front of its name:
// the name of what it stands in, or, where it belongs to something else, of
// that.
func (f finder) matchContainer(i int, query string) rank {
	s := &f.o.Symbols[i]
	container := f.fold(s.Container)
	if s.Parent >= 0 {
		r := f.match(s.Parent, query)
		if r > notNamed || container == f.fold(f.o.Symbols[s.Parent].Name) {
			return r
		}
	}
	rest, ok := cutName(query, container)
	switch {
	case !ok && strings.HasSuffix(container, query):
		_, isPath := cutName(container, query)
		if isPath {
			return inPart
		}
		return notNamed
	case !ok:
		return notNamed
	case rest == "" && (s.Parent < 0 || f.isTop(s.Parent)):
		return fromTop
	case rest == "":
		return inPart
	case s.Parent >= 0 && f.o.Symbols[s.Parent].Parent >= 0:
		return f.match(f.o.Symbols[s.Parent].Parent, rest)
	}
	return notNamed
}

// isTop tells that symbol i belongs to nothing.
func (f finder) isTop(i int) bool {
	s := &f.o.Symbols[i]
	return s.Parent < 0 && s.Container == ""
}

// cutName cuts a name and the separator before it off the end of a query. ok
// is false when the query ends otherwise.
func cutName(query, name string) (rest string, ok bool) {
	rest, ok = strings.CutSuffix(query, name)
	if !ok || name == "" || rest == "" {
		return "", ok && name != ""
	}
	rest = strings.TrimRight(rest, " ")
	for _, sep := range separators {
		if before, ok := strings.CutSuffix(rest, sep); ok {
			before = strings.TrimRight(before, " ")
			return before, before != ""
		}
	}
	return "", false
}

// separators divide the names of a path; the longer come first.
var separators = [...]string{"::", "->", ".", "/", "#", ">", ":", `\`}

// uniform returns a path with a point for each separator.
func uniform(path string) string {
	if !strings.ContainsAny(path, `:/#>\`) {
		return path
	}
	return strings.NewReplacer("::", ".", "->", ".", ":", ".", "/", ".", "#", ".", ">", ".", `\`, ".").Replace(path)
}

// narrow leaves out what is meant only if it is named more closely: what
// lies inside of another match, and announcements of the one definition.
func (o *Outline) narrow(found []int) []int {
	if len(found) < 2 {
		return found
	}
	all := slices.Clone(found)
	found = slices.DeleteFunc(found, func(i int) bool { return o.liesInOneOf(i, all) })
	first := &o.Symbols[found[0]]
	definition := -1
	for _, i := range found {
		s := &o.Symbols[i]
		if s.Container != first.Container || s.bodied && definition >= 0 {
			return found
		}
		if s.bodied {
			definition = i
		}
	}
	if definition >= 0 {
		return []int{definition}
	}
	return found
}

// liesInOneOf tells that a symbol lies inside of one of others, which are
// sorted.
func (o *Outline) liesInOneOf(i int, others []int) bool {
	for p := o.Symbols[i].Parent; p >= 0; p = o.Symbols[p].Parent {
		if _, ok := slices.BinarySearch(others, p); ok {
			return true
		}
	}
	return false
}

// Path returns the name of symbol i with that of its container, in a form that
// [Outline.Find] finds.
func (o *Outline) Path(i int) string {
	return o.pathWith(i, 1)
}

// Says reports whether a query says of symbol i what Path does, by whatever
// separators, with further containers or without.
func (o *Outline) Says(query string, i int) bool {
	said, path := uniform(query), uniform(o.Path(i))
	return said == path || strings.HasSuffix(said, "."+path)
}

// Paths returns names of symbols with those of as many containers as tell them
// apart, of one at least where there is one, in a form that [Outline.Find] finds.
func (o *Outline) Paths(which []int) []string {
	paths, again := make([]string, len(which)), true
	for levels := 1; again && levels <= maxLevel; levels++ {
		count := make(map[string]int)
		for _, path := range paths {
			count[path]++
		}
		again = false
		for n, i := range which {
			if levels == 1 || count[paths[n]] > 1 {
				longer := o.pathWith(i, levels)
				again = again || longer != paths[n]
				paths[n] = longer
			}
		}
	}
	return paths
}

// pathWith returns the name of symbol i with those of so many containers.
func (o *Outline) pathWith(i, levels int) string {
	s := &o.Symbols[i]
	path, separator := s.Name, "."
	if isKey(s.Kind) || s.Kind == syntax.String {
		separator = "/"
	}
	for ; levels > 0 && s.Container != ""; levels-- {
		path = s.Container + separator + path
		if s.Parent < 0 {
			break
		}
		s = &o.Symbols[s.Parent]
	}
	return path
}

// near returns the names that a query resembles most.
func (o *Outline) near(query string) []string {
	asked := strings.ToLower(lastName(query))
	if asked == "" {
		return nil
	}
	type candidate struct{ at, distance int }
	var all []candidate
	for i := range o.Symbols {
		if d := distance(asked, strings.ToLower(o.Symbols[i].Name)); d >= 0 {
			all = append(all, candidate{i, d})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range all {
		if name := o.Path(c.at); !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) == maxNear {
			break
		}
	}
	return names
}

func lastName(query string) string {
	at := strings.LastIndexAny(query, `.:/#>\`)
	return strings.TrimSpace(query[at+1:])
}

// distance returns how little a name resembles what was asked for: letters
// that differ, or that are missing around it. -1 is no resemblance.
func distance(asked, name string) int {
	limit := max(1, len(asked)/3)
	if d := text.EditDistance(asked, name, limit); d <= limit {
		return d
	}
	const shortest = 3 // what is shorter is part of too many names
	switch {
	case len(asked) >= shortest && strings.Contains(name, asked):
		return limit + len(name) - len(asked)
	case len(name) >= shortest && strings.Contains(asked, name):
		return limit + len(asked) - len(name)
	}
	return -1
}

// Match returns the symbols whose names resemble a query: those that hold its
// words, in any case, the last one in the name and the others there or in the
// container's; or, where there are none, those whose words it shortens.
func (o *Outline) Match(query string) []int {
	words := strings.FieldsFunc(strings.ToLower(query[:min(len(query), maxQuery)]), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`.:/#>\`, r)
	})
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	found := o.where(func(s *Symbol) bool {
		name, container := strings.ToLower(s.Name), strings.ToLower(s.Container)
		return strings.Contains(name, last) && !slices.ContainsFunc(words, func(w string) bool {
			return !strings.Contains(name, w) && !strings.Contains(container, w)
		})
	})
	if len(found) > 0 {
		return found
	}
	letters := strings.Join(words, "")
	return o.where(func(s *Symbol) bool { return text.Shortens(s.Name, letters) })
}

// where returns the symbols that suit.
func (o *Outline) where(suits func(*Symbol) bool) []int {
	var found []int
	for i := range o.Symbols {
		if suits(&o.Symbols[i]) {
			found = append(found, i)
		}
	}
	return found
}
