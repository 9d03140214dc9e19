// Package locate finds where an edit goes: it turns what a caller wrote (a text, a
// range of lines, the name of a symbol) into edits of one text.
//
// Invariants:
//   - A less literal match is tried only when those before found nothing, and
//     counts only when it gives one place. Likeness decides nothing; it only chooses
//     what an error shows.
//   - Edits are sorted and free of overlap, or none are returned.
//   - An edit by symbol replaces whole lines of its definition and no others.
//   - The work is bounded for any text and any argument.
//
// It changes nothing, and does not look at what changed since the text was read:
// see tools/change.
package locate
