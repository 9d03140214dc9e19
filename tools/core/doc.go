// Package core is what the calls of one process share, whichever way they come: the
// open documents, the list of files, the indexes, and what is kept between runs.
//
// Invariants:
//   - A Core is safe for concurrent use; calls that run keep the gate they began with.
//   - What cannot be opened or saved costs time, never a call.
//   - Close saves what is known and frees what is held.
//
// It knows no tool: it makes the toolcall.Env that one is called with.
package core
