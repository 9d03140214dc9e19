package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Field is a member of an object that is written; Value is anything that
// encoding/json takes.
type Field struct {
	Name  string
	Value any
}

// Put returns src with an object of fields as the member that path leads to:
// in the place of the value it has, else as the last member there. Objects on
// the way that are missing are made. An empty text counts as an empty object.
//
// Indentation and line ends are those of the text around. The error says what
// is in the way: a text that does not parse, or a value on the path that is no
// object.
func Put(src []byte, path []string, fields []Field) ([]byte, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{}\n")
	}
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	at := &root
	for i, name := range path {
		object, ok := at.Value.(*Object)
		if !ok {
			return nil, fmt.Errorf("%s is no object", strings.Join(append([]string{"the text"}, path[:i]...), "."))
		}
		next := member(object, name)
		if next == nil {
			p := newPrinter(src, &root)
			return p.insert(at, object, p.nested(path[i:], fields)), nil
		}
		at = next
	}
	if Holds(at, fields) {
		return src, nil
	}
	p := newPrinter(src, &root)
	value := p.object(p.indentAt(at.StartOffset), fields)
	return join(src[:at.StartOffset], []byte(value), src[at.EndOffset:]), nil
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

// lines is a member to be written: its first line, then further ones, each
// deeper by depth levels.
type lines []struct {
	depth int
	text  string
}

func (p *printer) render(l lines, indent string) string {
	var b strings.Builder
	for i, line := range l {
		if i > 0 {
			b.WriteString(p.eol + indent + strings.Repeat(p.unit, line.depth))
		}
		b.WriteString(line.text)
	}
	return b.String()
}

// nested is a member of the first name with objects of the further names
// around the fields.
func (p *printer) nested(path []string, fields []Field) lines {
	var l lines
	add := func(depth int, text string) {
		l = append(l, struct {
			depth int
			text  string
		}{depth, text})
	}
	for i, name := range path {
		add(i, quote(name)+": {")
	}
	for i, f := range fields {
		comma := ","
		if i == len(fields)-1 {
			comma = ""
		}
		add(len(path), quote(f.Name)+": "+compact(f.Value)+comma)
	}
	for i := range slices.Backward(path) {
		add(i, "}")
	}
	return l
}

// object is an object of fields that begins on a line with an indentation.
func (p *printer) object(indent string, fields []Field) string {
	whole := p.render(p.nested([]string{""}, fields), indent)
	return strings.TrimPrefix(whole, `"": `)
}

// insert puts a member behind all others of an object.
func (p *printer) insert(at *Value, object *Object, l lines) []byte {
	closing := at.EndOffset - 1
	if len(object.Members) == 0 {
		outer := p.indentAt(at.StartOffset)
		inner := outer + p.unit
		kept := strings.TrimRight(string(p.src[at.StartOffset+1:closing]), " \t\r\n") // comments
		return join(p.src[:at.StartOffset+1], []byte(kept+p.eol+inner+p.render(l, inner)+p.eol+outer), p.src[closing:])
	}
	last := object.Members[len(object.Members)-1]
	end := last.Value.EndOffset
	indent, own := p.leading(last.Name.StartOffset)
	comma, after := p.comma(end, closing)
	if !own { // all on one line
		joined := ", "
		if comma {
			end, joined = after, " "
		}
		return join(p.src[:end], []byte(joined+p.render(l, p.indentAt(at.StartOffset))), p.src[end:])
	}
	line := p.restOfLine(after, closing)
	added := p.eol + indent + p.render(l, indent)
	if comma {
		return join(p.src[:line], []byte(added+","), p.src[line:])
	}
	return join(p.src[:end], []byte(","), p.src[end:line], []byte(added), p.src[line:])
}

// comma tells whether a comma follows before closing, and where what follows
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

func quote(s string) string { return compact(s) }

// compact encodes a value on one line; it cannot fail for strings, numbers,
// booleans and lists of these.
func compact(v any) string {
	if list, ok := v.([]string); ok {
		parts := make([]string, len(list))
		for i, s := range list {
			parts[i] = compact(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
