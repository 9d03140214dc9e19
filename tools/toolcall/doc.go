// Package toolcall is one call of a tool: what it has at hand (Env), who makes it
// (Client), the editor it may ask (Editor), and what it answers (Result). It also
// holds what answers of several tools tell in the same way: how a file stands
// (Description), what its text is, its outline, and the hashes that were shown.
//
// Invariants:
//   - A call sees one snapshot, unless it asks for the present with Refresh.
//   - What is remembered of clients (hashes, reads) is bounded and safe for
//     concurrent use; nil remembers nothing.
//   - A Result renders the same for every front.
//
// It knows no tool, and neither LSP nor MCP.
package toolcall
