// Package rpc is the connection to an editor: LSP's methods and our own, down
// to the tools and back, and edits applied in the editor.
//
// Invariants:
//   - Text synchronisation applies in the order of arrival, on the read loop,
//     which does nothing else that takes time.
//   - A request that runs beside others works on the documents and the gate as
//     of its arrival.
//   - An edit counts as applied when a text that it makes was seen in the
//     document, not when the editor says so.
//   - Every goroutine ends with the connection.
//
// It does not read or write files, and decides nothing about texts: buffers
// and tools do. Messages, their order and their limits are rpc/jsonrpc's.
package rpc
