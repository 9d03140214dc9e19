package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Field is a member of an object that is written. Value is a string, a number,
// a bool, nil, a []string, which is written on one line, a []any of such
// values, an element a line, or a []Field, an object whose members keep their
// order.
type Field struct {
	Name  string
	Value any
}

// text is an item that is written at an indentation.
type text func(indent string) string

// value returns how a value is written.
func (p *printer) value(v any) text {
	return func(indent string) string {
		switch v := v.(type) {
		case []Field:
			members := make([]text, len(v))
			for i, f := range v {
				members[i] = p.member(f.Name, f.Value)
			}
			return p.block("{", members, "}", indent)
		case []any:
			elements := make([]text, len(v))
			for i, e := range v {
				elements[i] = p.value(e)
			}
			return p.block("[", elements, "]", indent)
		}
		return compact(v)
	}
}

func (p *printer) member(name string, v any) text {
	return func(indent string) string { return compact(name) + ": " + p.value(v)(indent) }
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
		return compactList(v)
	case []any:
		return compactList(v)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

func compactList[V any](list []V) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = compact(e)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
