package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is one name and value of a JSON object.
type member struct {
	name  string
	value any
}

// object is a JSON object whose members keep their order; arrays are []any,
// numbers json.Number.
type object []member

func (o object) get(name string) (any, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// parseTree decodes JSON without losing the order of members.
func parseTree(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return parseValue(d)
}

func parseValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return parseObject(d)
	case json.Delim('['):
		return parseArray(d)
	}
	return token, nil
}

func parseObject(d *json.Decoder) (any, error) {
	o := object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		if _, twice := o.get(name.(string)); twice {
			return nil, fmt.Errorf("member %q stands twice", name)
		}
		o = append(o, member{name.(string), value})
	}
	_, err := d.Token()
	return o, err
}

func parseArray(d *json.Decoder) (any, error) {
	a := []any{}
	for d.More() {
		value, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		a = append(a, value)
	}
	_, err := d.Token()
	return a, err
}

// mapTree returns a copy of v with every string passed through f, which is
// told the name of the member that holds it ("" inside arrays).
func mapTree(name string, v any, f func(name, s string) string) any {
	switch v := v.(type) {
	case string:
		return f(name, v)
	case object:
		out := make(object, len(v))
		for i, m := range v {
			out[i] = member{m.name, mapTree(m.name, m.value, f)}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = mapTree("", x, f)
		}
		return out
	}
	return v
}
