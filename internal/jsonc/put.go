package jsonc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Put returns src with value as the member that path leads to: in the place of
// the value it has, else as the last member there. Objects on the way that are
// missing are made. An empty text counts as an empty object.
//
// Indentation and line ends are those of the text around. The error says what
// is in the way: a text that does not parse, or a value on the path that is no
// object.
func Put(src []byte, path []string, value any) ([]byte, error) {
	src, root, err := parseOrEmpty(src)
	if err != nil {
		return nil, err
	}
	at := &root
	for i, name := range path {
		object, ok := at.Value.(*Object)
		if !ok {
			return nil, isNo("object", path[:i])
		}
		next := member(object, name)
		if next == nil {
			p := newPrinter(src, &root)
			return p.insert(at, p.member(name, nest(path[i+1:], value))), nil
		}
		at = next
	}
	if Equal(at, value) {
		return src, nil
	}
	p := newPrinter(src, &root)
	text := p.value(value)(p.indentAt(at.StartOffset))
	return join(src[:at.StartOffset], []byte(text), src[at.EndOffset:]), nil
}

// Append returns src with those of the values as further elements of the list
// that path leads to which are not among them. The list, and objects on the
// way to it, are made when they are missing. What is said of [Put] holds.
func Append(src []byte, path []string, values ...any) ([]byte, error) {
	src, root, err := parseOrEmpty(src)
	if err != nil {
		return nil, err
	}
	at := Find(&root, path...)
	if at == nil {
		if len(values) == 0 {
			return src, nil
		}
		return Put(src, path, values)
	}
	list, ok := at.Value.(*Array)
	if !ok {
		return nil, isNo("list", path)
	}
	p := newPrinter(src, &root)
	var added []text
	for _, v := range values {
		if !has(list, v) {
			added = append(added, p.value(v))
		}
	}
	if len(added) == 0 {
		return src, nil
	}
	return p.insert(at, added...), nil
}

func has(list *Array, value any) bool {
	for i := range list.Elements {
		if Equal(&list.Elements[i], value) {
			return true
		}
	}
	return false
}

func parseOrEmpty(src []byte) ([]byte, Value, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{}\n")
	}
	root, err := Parse(src)
	return src, root, err
}

func isNo(what string, path []string) error {
	if len(path) == 0 {
		path = []string{"the text"}
	}
	return fmt.Errorf("%s is no %s", strings.Join(path, "."), what)
}

// nest returns value as the innermost of objects with the names in path.
func nest(path []string, value any) any {
	for _, name := range slices.Backward(path) {
		value = []Field{{name, value}}
	}
	return value
}

// printer writes values in the manner of a text.
type printer struct {
	src  []byte
	eol  string
	unit string // one level of indentation
}

func newPrinter(src []byte, root *Value) *printer {
	p := &printer{src: src, eol: "\n", unit: "  "}
	if bytes.Contains(src, []byte("\r\n")) {
		p.eol = "\r\n"
	}
	if object, ok := root.Value.(*Object); ok && len(object.Members) > 0 {
		blank, own := p.leading(object.Members[0].Name.StartOffset)
		unit, deeper := strings.CutPrefix(blank, p.indentAt(root.StartOffset))
		if own && deeper && unit != "" {
			p.unit = unit
		}
	}
	return p
}

// insert puts items behind all others of an object or a list.
func (p *printer) insert(at *Value, items ...text) []byte {
	closing := at.EndOffset - 1
	have := spans(at)
	if len(have) == 0 {
		outer := p.indentAt(at.StartOffset)
		inner := outer + p.unit
		kept := strings.TrimRight(string(p.src[at.StartOffset+1:closing]), " \t\r\n") // comments
		return join(p.src[:at.StartOffset+1], []byte(kept+p.eol+inner+p.joined(items, inner, ","+p.eol+inner)+p.eol+outer), p.src[closing:])
	}
	last := have[len(have)-1]
	end := last.end
	indent, own := p.leading(last.start)
	comma, after := p.comma(end, closing)
	if !own { // all on one line
		before := ", "
		if comma {
			end, before = after, " "
		}
		return join(p.src[:end], []byte(before+p.joined(items, p.indentAt(at.StartOffset), ", ")), p.src[end:])
	}
	line := p.restOfLine(after, closing)
	added := p.eol + indent + p.joined(items, indent, ","+p.eol+indent)
	if comma {
		return join(p.src[:line], []byte(added+","), p.src[line:])
	}
	return join(p.src[:end], []byte(","), p.src[end:line], []byte(added), p.src[line:])
}

// comma reports whether a comma follows before closing, and where what follows
// it, or the value, begins.
func (p *printer) comma(end, closing int) (found bool, after int) {
	for i := end; i < closing; i++ {
		switch {
		case p.src[i] == ',':
			return true, i + 1
		case p.src[i] == '/':
			i = p.commentEnd(i, closing) - 1
		}
	}
	return false, end
}

// restOfLine returns where a line ends that has nothing but blanks and
// comments after i; what follows a comment of several lines is left to it.
func (p *printer) restOfLine(i, closing int) int {
	end := i
	for i < closing {
		switch {
		case p.src[i] == '\n' || p.src[i] == '\r':
			return end
		case p.src[i] == '/':
			i = p.commentEnd(i, closing)
			end = i
		default:
			i++
		}
	}
	return end
}

// commentEnd returns where a comment ends that begins at i; the end of its
// line is not in it.
func (p *printer) commentEnd(i, closing int) int {
	rest := p.src[i:closing]
	if bytes.HasPrefix(rest, []byte("/*")) {
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
		return closing
	}
	if n := bytes.IndexAny(rest, "\r\n"); n >= 0 {
		return i + n
	}
	return closing
}

// leading returns the blanks before an offset on its line; own is false when
// other things stand there, too.
func (p *printer) leading(offset int) (blanks string, own bool) {
	begin := bytes.LastIndexByte(p.src[:offset], '\n') + 1
	before := string(p.src[begin:offset])
	return before, begin > 0 && strings.Trim(before, " \t") == ""
}

// indentAt returns the indentation of the line that an offset is on.
func (p *printer) indentAt(offset int) string {
	line := p.src[bytes.LastIndexByte(p.src[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
