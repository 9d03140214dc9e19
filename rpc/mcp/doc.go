// Package mcp speaks the Model Context Protocol with an assistant's host, and
// answers calls of tools through a [route.Backend].
//
// The official SDK does what is rare: the handshake of every revision,
// discovery, resources, subscriptions, what the server asks of the client. A
// call of a tool never meets it over stdio: the connection takes it from the
// line it came in to the backend, and puts the backend's bytes into the line
// that goes out, without decoding or encoding them again. HTTP is the SDK's in
// whole.
//
// Invariants:
//   - Each call that arrived is answered once, unless it was cancelled, as long
//     as the client reads. Answers are whole lines, one after the other.
//   - No input makes it crash, hang or grow without bound: a message that is no
//     good costs that message.
//   - Every goroutine ends with its connection.
//
// It does not know what tools do, where the answers come from, nor LSP.
package mcp
