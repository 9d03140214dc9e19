// Package wording holds the small pieces of sentences that answers are made of:
// counted nouns, lists, and texts cut to a length.
//
// Invariants:
//   - What is cut ends at the end of a character.
//   - One line stays one line, whatever a name holds.
//
// It does not know tools, files or calls.
package wording
