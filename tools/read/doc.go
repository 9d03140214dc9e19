// Package read answers with a file, or a part of it: a page, a window of lines or
// bytes, a symbol, rows of a table, a notebook's cells, the end of a log, an image or
// a document; alone or several at once.
//
// Invariants:
//   - Pages and windows join to the exact text.
//   - The same call on the same text gives the same window; widening moves ends only.
//   - An answer keeps to its room; what was left out does not count as read.
//
// It changes nothing, and does not search.
package read
