// Package ledger knows, of each file that agents changed, who wrote which line
// and what a person has not accepted yet.
//
// A [Track] is one file. It counts in lines, which end at LF, and holds a hash of
// each, no text but that of lines that an agent took away. What changes a file is
// an [Event]: the lines that went and the hashes of those that came. Tracks are
// made of events alone, so events that are kept, see [Log], give the same tracks
// again after a restart.
//
// The accepted text of a file is its present one with every pending [Hunk] in
// its place as it was before. It follows what the person and other programs
// change outside of hunks by itself.
//
// The package reads and writes no file of a workspace and knows no policy: who
// shows something of it asks for that.
package ledger
