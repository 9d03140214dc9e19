package jsonc

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// Value is a value of a text with where it stands: offsets are bytes from the
// text's begin, ends exclusive. It holds one of the others.
type Value = hujson.Value

// Object is a value with named members.
type Object = hujson.Object

// ObjectMember is one of an object's members.
type ObjectMember = hujson.ObjectMember

// Array is a list of values.
type Array = hujson.Array

// Literal is a string, a number, true, false or null.
type Literal = hujson.Literal

// Parse reads a text. Its error names line and column.
func Parse(src []byte) (Value, error) {
	v, err := hujson.Parse(src)
	if err != nil {
		return v, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return v, nil
}

// Find returns the value that the names in path lead to, from object to
// object; nil when there is none.
func Find(v *Value, path ...string) *Value {
	for _, name := range path {
		object, ok := v.Value.(*Object)
		if !ok {
			return nil
		}
		if v = member(object, name); v == nil {
			return nil
		}
	}
	return v
}

// Holds reports whether a value is an object with these fields, whatever else
// it has.
func Holds(v *Value, fields []Field) bool {
	for _, f := range fields {
		is := Find(v, f.Name)
		if is == nil || !Equal(is, f.Value) {
			return false
		}
	}
	return true
}

// Equal reports whether a value of a text is value, in whatever way it is
// written; the members of objects may stand in any order.
func Equal(v *Value, value any) bool {
	var a, b any
	return Decode(v, &a) == nil && json.Unmarshal([]byte(compact(value)), &b) == nil && reflect.DeepEqual(a, b)
}

// Decode stores a value in what into points to, as encoding/json does.
func Decode(v *Value, into any) error {
	is := v.Clone()
	is.Standardize()
	return json.Unmarshal(is.Pack(), into)
}

// member returns the last member of a name: of two, readers of JSON take that.
func member(object *Object, name string) *Value {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if nameOf(&object.Members[i]) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

func nameOf(m *ObjectMember) string {
	literal, _ := m.Name.Value.(Literal)
	return literal.String()
}
