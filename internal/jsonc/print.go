package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Field is a member of an object that is written. Value is a string, a number,
// a bool, nil, a []string, a []any of such values, or a []Field, which is an
// object whose members keep their order.
type Field struct {
	Name  string
	Value any
}

// text is an item that is written at an indentation.
type text func(indent string) string

// widest is how many bytes a list of plain values may take on one line.
const widest = 80

// value returns how a value is written: objects a member a line, lists on one
// line unless they are long or hold objects.
func (p *printer) value(v any) text {
	return func(indent string) string {
		switch v := v.(type) {
		case []Field:
			members := make([]text, len(v))
			for i, f := range v {
				members[i] = p.member(f.Name, f.Value)
			}
			return p.block("{", members, "}", indent)
		case []string:
			return p.list(anys(v), indent)
		case []any:
			return p.list(v, indent)
		}
		return compact(v)
	}
}

func (p *printer) member(name string, v any) text {
	return func(indent string) string { return compact(name) + ": " + p.value(v)(indent) }
}

func (p *printer) list(values []any, indent string) string {
	if line := compact(values); len(line) <= widest && !strings.Contains(line, "{") {
		return line
	}
	elements := make([]text, len(values))
	for i, v := range values {
		elements[i] = p.value(v)
	}
	return p.block("[", elements, "]", indent)
}

func (p *printer) block(begin string, items []text, end, indent string) string {
	if len(items) == 0 {
		return begin + end
	}
	inner := indent + p.unit
	return begin + p.eol + inner + p.joined(items, inner, ","+p.eol+inner) + p.eol + indent + end
}

func (p *printer) joined(items []text, indent, between string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = item(indent)
	}
	return strings.Join(parts, between)
}

// compact returns a value on one line.
func compact(v any) string {
	switch v := v.(type) {
	case []Field:
		parts := make([]string, len(v))
		for i, f := range v {
			parts[i] = compact(f.Name) + ": " + compact(f.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []string:
		return compact(anys(v))
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = compact(e)
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

func anys(list []string) []any {
	values := make([]any, len(list))
	for i, s := range list {
		values[i] = s
	}
	return values
}
