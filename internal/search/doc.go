// Package search finds text in a workspace as its editor shows it.
//
// A [Matcher] is a compiled pattern. A [Searcher] runs it over the files that
// the catalog lists, with open documents in the place of their files, and
// gives the hits in an order that depends on names alone.
//
// Invariants:
//
//   - What is searched of a file is one state of it, whose hash is given.
//   - Offsets are bytes of the decoded text, as read_file gives them.
//   - A search ends soon after its context does, and so do its goroutines.
//
// # The index
//
// A text is cut into blocks of whole lines, about 32 KB each. Of every block
// the index knows which grams, three bytes in a row, it holds; a literal can
// only be where all of its grams are. An [Indexer] builds the index in the
// background and keeps it fresh; a [View] is the index of one list of files.
//
// Invariants:
//
//   - The index only leaves out: whatever a search finds was read from the
//     file or the buffer itself. A file is left out only while it is in
//     exactly the state ([fsys.ID]) in which it was indexed.
//   - What the index does not know for certain it does not claim. A file that
//     changed too shortly before it was read, one that cannot be read, and all
//     files of a damaged index count as not indexed.
//   - Nothing that is read back from disk is used before its checksum was
//     verified on a copy in memory, so that bytes that change on disk at any
//     moment cost speed only. Index files are read by position and never
//     mapped: one that is truncated gives an error, not a signal.
//   - A segment, the index of some files, never changes. Changed files go into
//     further segments; old ones are dropped when little of them is true.
//   - Each workspace folder has its own segments, whichever workspaces it is
//     part of. Processes that share the folder of saved segments take turns
//     building, by a lock that they hold only meanwhile, and use what the
//     others saved.
//
// The package asks the clock and the disk for nothing by itself: both are
// passed in.
package search
