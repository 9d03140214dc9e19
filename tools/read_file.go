package tools

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/schema"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// newReadFile returns the tool. The semaphore bounds how much that is no text
// is worked on at a time.
func newReadFile(semaphore *media.Semaphore) tool[read.Call, *read.Output] {
	return tool[read.Call, *read.Output]{
		name:  "read_file",
		doc:   readFileDoc,
		about: aboutReads,
		terminal: Terminal{
			Arguments: []string{"path"}, Placeholders: map[string]string{"where": "COLUMN=VALUE"}, Cut: numberedBy("|"),
		},
		run: func(ctx context.Context, env *toolcall.Env, in read.Call) (*read.Output, error) {
			return read.Run(ctx, env, in, semaphore)
		},
	}
}

const readFileDoc = `Read a file as the editor shows it, unsaved changes included: a page, a symbol, lines or bytes. The answer's hash guards edits. ` +
	`Without a range: a first page (of logs the end and errors), or the outline of large source. ` +
	`symbol: a definition by name, Type.method, heading/path or keys.path[2]; without path wherever it is. ` +
	`start_byte and max_bytes page large files, offset and limit by line.`

// aboutReads names the files of a call of read_file: none where one of its reads
// names none, as that may be of any.
func aboutReads(arguments wire.RawValue, s schema.Schema) Subject {
	subject := aboutPath(arguments, s)
	if bytes.Contains(arguments, []byte("eads")) { // by whatever spelling
		subject.Paths = readPaths(arguments, s)
	}
	subject.Separate = true
	return subject
}

func readPaths(arguments wire.RawValue, s schema.Schema) []string {
	var call read.Call
	if schema.Decode(arguments, &call, s) != nil {
		return nil
	}
	if len(call.Reads) == 0 {
		call.Reads = []read.Input{{}}
	}
	var paths []string
	for _, in := range call.Reads {
		path := cmp.Or(in.Path, call.Path)
		if path == "" {
			return nil
		}
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
