// Package syntax knows languages: how their files are told, and how the
// definitions in a text are found, with the extent that a person would cut
// out of the file.
//
// Languages are data: a [Language] is a row of names and, where a grammar is
// bundled, a table of [Rules] that says what each kind of node means. One walk
// reads all tables; a new language needs no new code. The walk is in C
// (walk.c), since going through a tree node by node from Go costs more than
// parsing it.
//
// Invariants:
//   - [Analyze] is total. Any bytes give a result in bounded time and memory;
//     what is not done by the grammar is named ([Result].Method and Reason).
//   - What falls back is decided by size and shape. A clock is the last guard.
//   - Every parser, tree and cursor is closed by the function that made it;
//     only a [Tree] outlives a call, and belongs to who holds it.
//   - Offsets are bytes into the text that was given; lines end at LF, CRLF
//     and lone CR.
//
// It knows no files and keeps nothing between calls. How definitions are shown
// is the concern of package outline.
package syntax
