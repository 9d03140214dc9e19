// Package find is the files that a call is about (Scope), and the definitions in them
// that a query names.
//
// Invariants:
//   - A scope lists what the catalog lists and what exists in the editor alone; what
//     policy keeps from agents is in neither.
//   - Texts are parsed only where a look at their bytes makes a definition likely, and
//     within bounds; what was passed over is told.
//
// It does not search texts for patterns (internal/search), and renders nothing.
package find
