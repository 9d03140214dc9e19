// Package text is the immutable text that everything else reads: a rope with
// its lines and positions, the forms it takes in bytes, and its hash.
//
// A [Text] is valid UTF-8 without byte-order mark, line endings as they are.
// It is one pointer to a persistent B-tree of chunks, so a snapshot costs
// nothing and an edit copies one path of the tree, never the document.
// LF, CRLF and a lone CR each end a line.
//
// Units are in names and types: an [Offset] is a 0-based byte offset, a
// [Span] half open in bytes, a line here is 0-based. Only a [Position] has
// columns in other units, and only together with a [Coord] that names them.
// How a text stands in a file's bytes (encoding, mark) is a [Format]; a
// [Hash] is always over those bytes, not over the UTF-8.
//
// Invariants:
//   - A Text never changes; it may be read by any number of goroutines.
//   - Chunks are not empty and hold whole characters; every chunk but a lone
//     one is at least a quarter full, every inner node but the root nearly
//     half full, and all chunks are equally deep.
//   - A tree's summaries are those of its bytes: two trees that hold the same
//     bytes give the same answers however they came about.
//   - Offsets and positions out of range are clamped.
//
// It opens no files and keeps no state. It knows nothing of grapheme
// clusters, of columns on a screen, or of line ends other than the three.
package text
