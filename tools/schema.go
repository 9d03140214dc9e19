package tools

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/read"
)

// schema is a type's JSON Schema, in the form that arguments are decoded by
// and in the form that is sent.
type schema struct {
	*jsonschema.Schema
	raw wire.RawValue
}

// schemaOf derives the schema of a struct type from its json and jsonschema
// tags. A type that has none is a mistake in this program, which any test
// that lists the tools finds.
func schemaOf[T any]() schema { return newSchema[T](func(*jsonschema.Schema) {}) }

// newSchema is schemaOf, of what change makes of the schema.
func newSchema[T any](change func(*jsonschema.Schema)) schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: enums})
	if err != nil {
		panic(fmt.Sprintf("tools: no schema for %T: %v", *new(T), err))
	}
	withoutNull(s)
	var zero T
	if o, ok := any(zero).(interface{ Optional() []string }); ok {
		s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return slices.Contains(o.Optional(), name) })
	}
	change(s)
	raw, err := wire.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %T: %v", *new(T), err))
	}
	return schema{s, raw}
}

// enums are the string types with a closed list of values.
var enums = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[read.ExpandMode]():  enum(read.ExpandSyntax, read.ExpandLines),
	reflect.TypeFor[read.RenderStyle](): enum(read.Numbered, read.PlainText, read.XMLStyle),
	reflect.TypeFor[change.SaveMode]():  enum(change.SaveAuto, change.SaveAlways, change.SaveNever),
	reflect.TypeFor[outputLevel]():      enum(outputConcise, outputSilent, outputNormal, outputVerbose, outputFull),
	reflect.TypeFor[read.OutlineMode](): enum(read.OutlineAuto, read.OutlineAlways, read.OutlineNever),
	reflect.TypeFor[grepCase]():         enum(caseSmart, caseSensitive, caseInsensitive),
	reflect.TypeFor[grepWhat]():         enum(outputLines, outputFiles, outputCount),
	reflect.TypeFor[grepShow]():         enum(showDefinition),
	reflect.TypeFor[change.StaleMode](): enum(change.StaleReject, change.StaleMerge),
	reflect.TypeFor[locate.PlaceMode](): enum(locate.PlaceBefore, locate.PlaceAfter),
}

func enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
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
