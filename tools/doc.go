// Package tools is what assistants can do: each tool is one file with a typed
// input, a typed output and a function, and stands once in the list of [All].
//
// Tools know neither LSP, MCP nor flags. A front decodes a call, makes an
// [toolcall.Env] with the snapshot of the call's arrival, calls the [Definition] and
// encodes the [toolcall.Result]; input schemas, documentation and flags come from the
// same definition.
//
// Invariants:
//   - A call that fails returns a Result with an error of a known kind and has
//     changed nothing, unless the error says otherwise.
//   - A call sees one snapshot; what it returns never changes afterwards.
//   - Every path goes through the gate of the snapshot.
package tools
