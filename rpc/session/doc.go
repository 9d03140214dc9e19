// Package session joins the processes of one person: the server beside each
// editor, and those that assistants start.
//
// A server opens a socket and writes a [Registration]. Others find it, send it
// calls of tools, and pass its answers on without reading them. Which session a
// call goes to is chosen by rpc/session/route.
//
// Invariants:
//   - Only processes of the same user talk to each other; both ends check.
//   - Local tools are never served over a socket.
//   - No input makes either end crash, hang or grow without bound. A broken
//     frame ends its connection, nothing else.
//   - Each call is answered once, or its connection has ended.
//   - Every goroutine ends with its connection, and each connection with its
//     owner.
//
// It does not know what tools do, nor LSP or MCP.
package session
