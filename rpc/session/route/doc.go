// Package route chooses who answers a call: the live session that has its files
// open or whose folders hold them, several of them together, or this process
// from disk.
//
// Invariants:
//   - What an editor has open is not changed on disk behind it: an edit goes to
//     the session that has its files, or is refused.
//   - A change is made on one side of a session, whole, or not at all.
//   - A session that cannot be asked though it may have a file open makes a read
//     say so, and an edit fail.
//   - Every goroutine ends with the [Backend].
//
// It does not know what tools do, only what their calls are about, nor LSP or
// MCP.
package route
