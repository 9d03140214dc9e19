// Package fakeeditor is an editor for tests: an LSP client with its own
// buffers, versions and undo, that runs in the test's process and can also
// misbehave.
//
// It is an independent judge of the server, so it shares no code with it: it
// has its own framing and JSON-RPC, and its buffers are plain strings whose
// positions are found by counting from the start.
//
// Invariants:
//   - a change to a buffer and the message that tells of it happen under one
//     lock, so messages leave in the order of the changes;
//   - nothing here looks at a clock: what a test waits for is a message;
//   - whatever the server sends that the protocol forbids is recorded, see
//     [Editor.Violations];
//   - a [Behaviour] changes what the editor does, never what it records.
//
// It does not start the server, and it does not know the tools: a call's
// answer is returned as it came.
package fakeeditor
