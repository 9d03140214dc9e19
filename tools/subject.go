package tools

import (
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/schema"
)

// Subject is what a call is about, as far as its arguments tell. Arguments that
// do not fit name nothing: the call itself says what is wrong.
type Subject struct {
	// Paths are the files and folders that the call names, as its caller spells
	// them, without repeats.
	Paths []string
	// Folders reports whether the answer depends on all documents in the folders that
	// the call names, or of the workspace where it names none, and not on a
	// document of that name alone.
	Folders bool
	// Separate reports whether each file is answered by itself; a call that names none
	// may be about any.
	Separate bool
	// Change is the id of the earlier change that the call is about; "" for none.
	Change string
	// Query is what a search looks for, which an answer alone does not say.
	Query string
}

// About returns what a call with these arguments is about.
func (d Definition) About(arguments wire.RawValue) Subject {
	if d.about == nil {
		return Subject{}
	}
	return d.about(arguments)
}

// aboutPath is for tools whose argument path names a file.
func aboutPath(arguments wire.RawValue, s schema.Schema) Subject {
	if path := schema.Argument(arguments, s.Schema, "path"); path != "" {
		return Subject{Paths: []string{path}}
	}
	return Subject{}
}

// aboutFolder is for tools whose answers are about all that lies at the
// argument path, and which look for what the argument query says; "" for none.
func aboutFolder(query string) func(wire.RawValue, schema.Schema) Subject {
	return func(arguments wire.RawValue, s schema.Schema) Subject {
		subject := aboutPath(arguments, s)
		subject.Folders, subject.Query = true, schema.Member(arguments, query)
		return subject
	}
}

// aboutChange is for tools whose argument id names an earlier change.
func aboutChange(arguments wire.RawValue, s schema.Schema) Subject {
	subject := aboutPath(arguments, s)
	subject.Change = schema.Member(arguments, "id")
	return subject
}
