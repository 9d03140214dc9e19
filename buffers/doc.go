// Package buffers holds what the editor holds: the open documents, laid over
// the disk.
//
// A [Store] applies the editor's events in the order they are given and
// publishes, after each, one immutable [Overlay] of all open documents. A
// [Snapshot] joins one overlay, one workspace gate and the disk for the length
// of one call: each path is looked up once, and what it gave stays the same
// for the whole call. A [File] is what a call sees of one path, whether it
// came from a buffer or from the disk.
//
// Invariants:
//   - An overlay and its documents never change after they were published.
//   - No lock is held over reading, hashing or decoding.
//   - A file on disk is never loaded whole to serve a part of it: [Disk] keeps
//     facts about files (hash, line index), not their contents.
//   - Versions are the editor's: echoed, never counted.
//
// It does not decide what may be read (workspace does), and it does not land
// edits (tools and rpc do).
package buffers
