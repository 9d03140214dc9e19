package tools

import (
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Paths returns the files and folders that a call with these arguments names,
// as its caller spells them, without repeats. Arguments that do not fit name
// none: the call itself says what is wrong.
func (d Definition) Paths(arguments wire.RawValue) []string {
	if d.paths == nil || len(arguments) == 0 {
		return nil
	}
	return d.paths(arguments)
}

// pathArgument returns the path argument of a call.
func pathArgument(in schema) func(wire.RawValue) []string {
	if _, has := in.Properties["path"]; !has {
		return nil
	}
	return func(arguments wire.RawValue) []string {
		var exact struct {
			Path string `json:"path"`
		}
		if wire.Unmarshal(arguments, &exact) == nil && exact.Path != "" {
			return []string{exact.Path}
		}
		var members map[string]wire.RawValue
		if wire.Unmarshal(arguments, &members) != nil {
			return nil
		}
		for given, raw := range members {
			var path string
			if name, _ := memberName(given, in.Schema); name == "path" && wire.Unmarshal(raw, &path) == nil && path != "" {
				return []string{path}
			}
		}
		return nil
	}
}
