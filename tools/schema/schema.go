package schema

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Schema is a type's JSON Schema, in the form that arguments are decoded by
// and in the form that is sent.
type Schema struct {
	*jsonschema.Schema
	Raw wire.RawValue
}

// Enums are string types with a closed list of values.
type Enums map[reflect.Type][]string

// Of derives the schema of a struct type from its json and jsonschema
// tags. A type that has none is a mistake in this program, which any test
// that lists the tools finds.
func Of[T any](enums Enums) Schema {
	return newSchema[T](enums, func(*jsonschema.Schema) {})
}

// newSchema is Of, of what change makes of the schema.
func newSchema[T any](enums Enums, change func(*jsonschema.Schema)) Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: enums.schemas()})
	if err != nil {
		panic(fmt.Sprintf("schema: no schema for %T: %v", *new(T), err))
	}
	withoutNull(s)
	var zero T
	if o, ok := any(zero).(interface{ Optional() []string }); ok {
		s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return slices.Contains(o.Optional(), name) })
	}
	change(s)
	raw, err := wire.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("schema: schema of %T: %v", *new(T), err))
	}
	return Schema{s, raw}
}

func (e Enums) schemas() map[reflect.Type]*jsonschema.Schema {
	schemas := make(map[reflect.Type]*jsonschema.Schema, len(e))
	for t, values := range e {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range values {
			s.Enum = append(s.Enum, v)
		}
		schemas[t] = s
	}
	return schemas
}

// withoutNull drops the null that pointers and slices bring in: some models'
// vendors refuse lists of types, and an absent member says the same.
func withoutNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && slices.Contains(s.Types, "null") {
		s.Type = s.Types[1]
		if s.Type == "null" {
			s.Type = s.Types[0]
		}
		s.Types = nil
	}
	for _, p := range s.Properties {
		withoutNull(p)
	}
	withoutNull(s.Items)
}
