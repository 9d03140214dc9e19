package syntax

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// YAML's grammar gives up at the first thing that is no YAML, and all that
// follows is lost: a key that is half typed, a template of Helm's. Then the
// keys are read line by line, by their indentation.

// yamlLines is the reading of one text.
type yamlLines struct {
	src  []byte
	out  []Definition
	open []yamlKey
	deep int // lines that are indented by more belong to the last value
}

// yamlKey is a key that may still have something below it.
type yamlKey struct {
	indent, index int  // index in out
	closed        bool // has its value beside it
}

const noValue = 1 << 30 // more than any indentation

// definitionsOfYAML finds the keys of a text that the grammar cannot read.
func definitionsOfYAML(src []byte) []Definition {
	y := &yamlLines{src: src, deep: noValue}
	for at := 0; at < len(src); {
		end := at + lineLen(src[at:])
		y.line(at, end)
		at = end + lineEndLen(src[end:])
	}
	for i := range y.out {
		d := &y.out[i]
		if above := yamlComments.Above(src, d.Head); i == 0 || y.out[i-1].Span.End > d.Head || y.out[i-1].Span.End <= above {
			d.Span.Start = above
		}
	}
	return rearrange(y.out)
}

func lineLen(b []byte) int {
	if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
		return n
	}
	return len(b)
}

func lineEndLen(b []byte) int {
	if bytes.HasPrefix(b, []byte("\r\n")) {
		return 2
	}
	return min(len(b), 1)
}

func (y *yamlLines) line(start, end text.Offset) {
	content := bytes.TrimRight(y.src[start:end], " \t\f\v")
	words := bytes.TrimLeft(content, " \t")
	indent := len(content) - len(words)
	end = start + len(content)
	switch {
	case len(words) == 0:
	case indent > y.deep:
		y.extend(indent, end)
	case words[0] == '#':
	case isTemplateLine(words):
		y.extend(indent, end)
	case y.closesFlow(words[0], indent):
		y.extend(indent+1, end)
	case indent == 0 && (bytes.HasPrefix(words, []byte("---")) || bytes.HasPrefix(words, []byte("..."))):
		y.open, y.deep = nil, noValue
	default:
		y.deep = noValue
		y.content(start, indent, end)
	}
}

// isTemplateLine tells that a line is all template: "{{- if .Values.x }}".
func isTemplateLine(words []byte) bool {
	for _, marks := range [][2]string{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}} {
		if bytes.HasPrefix(words, []byte(marks[0])) && (bytes.HasSuffix(words, []byte(marks[1])) || !bytes.Contains(words, []byte(marks[1]))) {
			return true
		}
	}
	return false
}

// content reads a line that holds entries: any number of dashes, then a key.
func (y *yamlLines) content(start text.Offset, indent int, end text.Offset) {
	column, above := indent, -1
	for isDash(y.src[start+column : end]) {
		y.closeTo(column + 1)
		y.becomes(Array)
		above = column
		column++
		column += len(y.src[start+column:end]) - len(bytes.TrimLeft(y.src[start+column:end], " \t"))
	}
	y.closeTo(column)
	if name, after := yamlKeyAt(y.src[start+column : end]); after > 0 {
		if column == indent || len(y.open) == 0 || y.out[y.open[len(y.open)-1].index].Kind != Array {
			y.becomes(Object)
		}
		y.add(start+column, name, column, start+column+after, end)
	} else {
		y.plain(y.src[start+column:end], above, indent)
	}
	y.extend(column+1, end)
}

// plain reads a value that stands on a line of its own, or behind the dash in
// column above.
func (y *yamlLines) plain(value []byte, above, indent int) {
	n := len(y.open)
	switch {
	case above >= 0:
		y.value(value, above)
	case n > 0:
		kind, _ := y.value(value, y.open[n-1].indent)
		y.becomes(kind)
	default:
		y.value(value, indent)
	}
}

// closesFlow tells that a line closes the braces or brackets of the last key
// in that key's own column, as many do and YAML does not allow.
func (y *yamlLines) closesFlow(first byte, indent int) bool {
	n := len(y.open)
	return n > 0 && (first == ']' || first == '}') && y.open[n-1].indent == indent && y.open[n-1].closed
}

func isDash(b []byte) bool { return len(b) > 0 && b[0] == '-' && (len(b) == 1 || isBlank(b[1])) }

// closeTo closes the keys that stand at a column or behind it.
func (y *yamlLines) closeTo(column int) {
	for n := len(y.open); n > 0 && y.open[n-1].indent >= column; n-- {
		y.open = y.open[:n-1]
	}
}

// becomes gives the key that what follows belongs to its kind.
func (y *yamlLines) becomes(kind Kind) {
	if n := len(y.open); n > 0 && !y.open[n-1].closed && kind != NoKind {
		if d := &y.out[y.open[n-1].index]; d.Kind == Key {
			d.Kind = kind
		}
	}
}

// extend makes the keys in front of a column reach to end.
func (y *yamlLines) extend(column int, end text.Offset) {
	for _, k := range y.open {
		if k.indent < column {
			y.out[k.index].Span.End = end
		}
	}
}

// add makes a definition of the key at the place at.
func (y *yamlLines) add(at text.Offset, name []byte, column int, after, end text.Offset) {
	d := Definition{Kind: Key, Name: cmp.Or(cleanName(name), `""`), Span: text.Span{Start: at, End: end}, Head: at, Body: end}
	d.NameSpan = text.Span{Start: at, End: at + len(name)}
	y.out = append(y.out, d)
	kind, given := y.value(bytes.TrimLeft(y.src[after:end], " \t"), column)
	if kind != NoKind {
		y.out[len(y.out)-1].Kind = kind
	}
	y.open = append(y.open, yamlKey{indent: column, index: len(y.out) - 1, closed: given})
}

// value reports whether there is a value, and what kind it has if that is told
// by how it begins. Lines that are indented by more than indent belong to it
// where it is not complete.
func (y *yamlLines) value(value []byte, indent int) (kind Kind, given bool) {
	for len(value) > 0 && (value[0] == '&' || value[0] == '!') { // an anchor, a tag
		_, rest, _ := bytes.Cut(value, []byte(" "))
		value = bytes.TrimLeft(rest, " \t")
	}
	if len(value) == 0 || value[0] == '#' {
		return NoKind, false
	}
	if !isComplete(value) {
		y.deep = indent
	}
	switch {
	case bytes.HasPrefix(value, []byte("{{")):
	case value[0] == '{':
		return Object, true
	case value[0] == '[':
		return Array, true
	}
	return NoKind, true
}

// isComplete tells that a value does not go on in further lines, but for plain
// words, which can hold no keys.
func isComplete(value []byte) bool {
	switch value[0] {
	case '|', '>':
		return false
	case '"', '\'':
		_, quote := quotationLen(value)
		return quote > 0
	case '{', '[':
		return bracketsOpen(value) <= 0
	}
	return true
}

// bracketsOpen returns how many brackets and braces b opens and does not close.
func bracketsOpen(b []byte) int {
	open := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			open++
		case '}', ']':
			open--
		case '"', '\'':
			n, _ := quotationLen(b[i:])
			i += n - 1
		}
	}
	return open
}

// yamlKeyAt returns the key that b begins with, and the length up to behind
// its colon; 0 if there is none.
func yamlKeyAt(b []byte) (name []byte, after int) {
	var end int
	switch {
	case len(b) == 0 || strings.IndexByte("[]{},#|>@%`&*!?", b[0]) >= 0:
		return nil, 0
	case b[0] == '"' || b[0] == '\'':
		n, quote := quotationLen(b)
		if quote != 1 {
			return nil, 0
		}
		end = n
	default:
		end = plainKeyLen(b)
	}
	after = end + len(b[end:]) - len(bytes.TrimLeft(b[end:], " \t"))
	if end == 0 || after >= len(b) || b[after] != ':' || after+1 < len(b) && !isBlank(b[after+1]) {
		return nil, 0
	}
	return b[:end], after + 1
}

// plainKeyLen returns the length of the unquoted key that b begins with.
func plainKeyLen(b []byte) int {
	for i, c := range b {
		switch {
		case c == ':' && (i+1 == len(b) || isBlank(b[i+1])):
			return len(bytes.TrimRight(b[:i], " \t"))
		case c == '#' && i > 0 && isBlank(b[i-1]):
			return 0
		}
	}
	return 0
}
