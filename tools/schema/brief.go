package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Brief returns the schema of a struct type as models are sent it, with every
// conversation: what they need to write a good call, and no more. The tag brief is
// an argument's description there; "-" stands for one that is understood, and not
// shown. The tag shown names those members of a list's items that are. What is wrong
// with an argument is said where one is wrong.
func Brief[T any](enums Enums) Schema {
	return newSchema[T](enums, func(s *jsonschema.Schema) { shorten(reflect.TypeFor[T](), s) })
}

func shorten(t reflect.Type, s *jsonschema.Schema) {
	s.Minimum = nil
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		if s.Items != nil {
			shorten(t.Elem(), s.Items)
		}
	case reflect.Struct:
		s.AdditionalProperties = nil
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[name]
			switch {
			case p == nil:
			case f.Tag.Get("brief") == "-":
				delete(s.Properties, name)
				s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(of string) bool { return of == name })
			default:
				p.Description = f.Tag.Get("brief")
				shorten(f.Type, p)
				if shown := f.Tag.Get("shown"); shown != "" {
					only(p.Items, strings.Split(shown, ","))
				}
			}
		}
	}
}

// only leaves the named properties of an object, and nothing said of them.
func only(s *jsonschema.Schema, names []string) {
	s.PropertyOrder = names
	for name, p := range s.Properties {
		if p.Description = ""; !slices.Contains(names, name) {
			delete(s.Properties, name)
		}
	}
}
