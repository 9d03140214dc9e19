// Package media knows the kinds of files that are no plain text: images,
// which it makes fit for a model, PDF documents, notebooks, and binary formats
// by their first bytes.
//
// Invariants:
//   - Any bytes give a result or a [fault.Error]: nothing here panics its
//     caller, hangs, or takes memory that the sizes stated in the bytes alone
//     decide.
//   - What is made of a file depends on its bytes, never on its name or the
//     clock; only how many pages of a PDF are read is limited by time.
//   - An image that is sent is one that could be looked into: what would be
//     refused by a model's host, and stand in the conversation for good, is an
//     error here.
//
// It reads no files: bytes come in, values go out. It shows; it edits nothing.
package media
