// Package atomicfile changes files of a workspace: one ([Replace], [Create],
// [SetMode]) or several, all or nothing ([Begin]), where a [Journal] has what a
// crash interrupts finished or undone ([Journal.Recover]).
//
// A file is replaced by writing a temporary one beside it, exchanging the two
// names in one step, and hashing what came out: when that is not the guarded
// text, the names are exchanged back. Each step of a transaction renames a
// file away, exchanges two, or renames one in.
//
// Invariants:
//
//   - No change lands on bytes other than those whose hash guards it, and no
//     save of another program is lost, whenever it happens.
//   - After an error everything is as it was, or as another program made it
//     since; what had to be left beside a file is named.
//   - Whether a step was done is read off the disk, never remembered: undoing
//     and recovering are one code.
//   - All calls go through descriptors of folders and single names in them, so
//     that no link that is exchanged for a part of a path leads elsewhere.
//   - The gate allows a write by the path as written, and again by the place
//     where it was found to lead.
//   - Recovery believes no journal that this program did not write for this
//     user, and changes nothing without consent that needs it.
//
// It knows no editors and no documents, and merges nothing.
package atomicfile
