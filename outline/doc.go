// Package outline tells what is defined where in a text: the symbols of a
// file with their lines and one-line signatures, found by name, rendered
// within a budget, and used to end a window of the text where a definition
// ends.
//
// Package syntax finds the definitions; this package makes them presentable.
// JSON, for which there is no grammar, is read here.
//
// Invariants:
//   - [New] is total: any bytes in any language, or none, give an outline.
//   - An outline never changes and holds nothing of the text but names and
//     signatures, so that it can be kept when the text is not.
//   - Symbols stand in document order, parents before children, children
//     inside their parents.
//   - What a window is widened to depends on the text alone, never on time.
//
// It does not read files, does not know editors, and keeps nothing.
package outline
