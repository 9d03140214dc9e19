// Package fuzzy matches words against paths as fzf does: letters in their order,
// scored by where they stand.
//
// Invariants:
//   - A mask lets every path through that the pattern matches.
//   - The work for one path is bounded, however long path and pattern are.
//
// It does not know where paths come from, and does not order what it scored.
package fuzzy
