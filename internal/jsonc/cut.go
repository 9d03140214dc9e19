package jsonc

import "strings"

// span is where an item of an object or a list stands; end is exclusive.
type span struct{ start, end int }

func spans(v *Value) []span {
	var all []span
	switch is := v.Value.(type) {
	case *Object:
		for i := range is.Members {
			m := &is.Members[i]
			all = append(all, span{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *Array:
		for i := range is.Elements {
			all = append(all, span{is.Elements[i].StartOffset, is.Elements[i].EndOffset})
		}
	}
	return all
}

// Cut returns src without the member that path leads to, and without the
// objects around it that this leaves empty; src itself when there is none.
// Comments around it stay, and so do objects that hold some.
func Cut(src []byte, path []string) ([]byte, error) {
	root, err := parseToCut(src)
	if err != nil || root == nil || Find(root, path...) == nil {
		return src, err
	}
	for len(path) > 1 && alone(src, Find(root, path[:len(path)-1]...)) && bare(src, root, path[:len(path)-1]) {
		path = path[:len(path)-1]
	}
	around := Find(root, path[:len(path)-1]...)
	return newPrinter(src, root).cut(around, lastOf(around, path[len(path)-1])), nil
}

// bare reports whether no comment stands between the name of a member and its
// value.
func bare(src []byte, root *Value, path []string) bool {
	around := Find(root, path[:len(path)-1]...)
	m := &around.Value.(*Object).Members[lastOf(around, path[len(path)-1])]
	return strings.Trim(string(src[m.Name.EndOffset:m.Value.StartOffset]), " \t\r\n:") == ""
}

// lastOf returns the index of an object's last member of a name that it has.
func lastOf(v *Value, name string) int {
	members := v.Value.(*Object).Members
	i := len(members) - 1
	for nameOf(&members[i]) != name {
		i--
	}
	return i
}

// CutElements returns src without the elements that drop reports true for of
// the list that path leads to, and without the list and the objects around it
// that this leaves empty; src itself when there are none. What is no list has
// no elements.
func CutElements(src []byte, path []string, drop func(*Value) bool) ([]byte, error) {
	root, err := parseToCut(src)
	if err != nil || root == nil {
		return src, err
	}
	at := Find(root, path...)
	if at == nil {
		return src, nil
	}
	list, ok := at.Value.(*Array)
	if !ok {
		return src, nil
	}
	for i := range list.Elements {
		switch {
		case !drop(&list.Elements[i]):
		case len(path) > 0 && alone(src, at):
			return Cut(src, path)
		default:
			return CutElements(newPrinter(src, root).cut(at, i), path, drop)
		}
	}
	return src, nil
}

func parseToCut(src []byte) (*Value, error) {
	if strings.TrimSpace(string(src)) == "" {
		return nil, nil
	}
	root, err := Parse(src)
	return &root, err
}

// alone reports whether a value has one item, and nothing else but blanks and
// a comma.
func alone(src []byte, v *Value) bool {
	items := spans(v)
	if len(items) != 1 {
		return false
	}
	rest := string(src[v.StartOffset+1:items[0].start]) + string(src[items[0].end:v.EndOffset-1])
	return strings.Trim(rest, " \t\r\n,") == ""
}

// cut removes an item of an object or a list, with the comma that is of no use
// without it, and the line when nothing else is on it.
func (p *printer) cut(at *Value, i int) []byte {
	items, closing := spans(at), at.EndOffset-1
	if alone(p.src, at) {
		return join(p.src[:at.StartOffset+1], p.src[closing:])
	}
	gone := []span{items[i]}
	comma, after := p.comma(items[i].end, closing)
	switch {
	case comma && p.blank(items[i].end, after-1):
		gone[0].end = after
	case comma:
		gone = append(gone, span{after - 1, after})
	case i > 0:
		_, after = p.comma(items[i-1].end, items[i].start)
		gone = []span{{after - 1, after}, items[i]}
	}
	for n := range gone {
		if gone[n].start == items[i].start {
			gone[n] = p.around(gone[n], closing)
		}
	}
	var kept [][]byte
	from := 0
	for _, g := range gone {
		kept = append(kept, p.src[from:g.start])
		from = g.end
	}
	return join(append(kept, p.src[from:])...)
}

// around widens what is cut by the blanks that would be left over.
func (p *printer) around(s span, closing int) span {
	const blanks = " \t"
	rest := string(p.src[s.end:closing])
	behind := s.end + len(rest) - len(strings.TrimLeft(rest, blanks))
	before, own := p.leading(s.start)
	begin := len(strings.TrimRight(string(p.src[:s.start]), blanks))
	lineEnds := behind < closing && strings.ContainsRune("\r\n", rune(p.src[behind]))
	switch {
	case own && lineEnds:
		line := s.start - len(before) // is behind a line end, as own says
		line -= len("\n")
		if line > 0 && p.src[line-1] == '\r' {
			line--
		}
		return span{line, behind}
	case own && behind < closing:
		return span{s.start, behind}
	case begin < s.start:
		return span{begin, s.end}
	}
	return span{s.start, behind}
}

func (p *printer) blank(begin, end int) bool {
	return strings.TrimSpace(string(p.src[begin:end])) == ""
}
