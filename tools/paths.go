package tools

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Paths returns the files and folders that a call with these arguments names,
// as its caller spells them, without repeats. Arguments that do not fit name
// none: the call itself says what is wrong.
func (d Definition) Paths(arguments wire.RawValue) []string { return d.paths(arguments) }

// pathsIn returns the function for [Definition.Paths]: of the string argument
// name, by whatever name it is given, in what of says of its value.
func pathsIn(s *jsonschema.Schema, name string, of func(string) []string) func(wire.RawValue) []string {
	return func(arguments wire.RawValue) []string {
		if value := stringArgument(arguments, s, name); value != "" {
			return of(value)
		}
		return nil
	}
}

// stringArgument returns the string that the argument name has, or what is
// understood as it; "" where there is none.
func stringArgument(arguments wire.RawValue, s *jsonschema.Schema, name string) (value string) {
	var members map[string]wire.RawValue
	if s.Properties[name] == nil || len(arguments) == 0 || wire.Unmarshal(arguments, &members) != nil {
		return ""
	}
	if raw, exact := members[name]; exact && wire.Unmarshal(raw, &value) == nil && value != "" {
		return value
	}
	for given, raw := range members {
		meant, err := meaning(given, raw, s, "")
		if err == nil && meant[name] != nil && wire.Unmarshal(meant[name], &value) == nil && value != "" {
			return value
		}
	}
	return ""
}
