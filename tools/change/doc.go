// Package change plans, asks for, stages, applies and undoes changes of files, and
// enters them into the history.
//
// A tool states what is to become of each file as a [Request] of [FileRequest]s, each
// guarded by a hash. All of it is planned, then the person is asked where that is due,
// then it is applied: closed files on disk by one transaction, open documents through
// the editor. A failure undoes what was done before it.
//
// Invariants:
//   - No edit is applied to a text other than the one that its hash names, or one that
//     it was merged into.
//   - All of a request is applied, or nothing; where that cannot be had the error says
//     how each file stands.
//   - What is applied is what the person agreed to.
//   - A change that began to be applied is answered, cancelled or not.
//
// It does not find where an edit goes (tools/locate) and writes no file by itself
// (internal/atomicfile).
package change
