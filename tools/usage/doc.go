// Package usage counts what the tools of a process were used for, and what that
// cost and saved; the sum over all sessions is kept in a file.
//
// Invariants:
//   - It holds figures alone: no paths, no texts, no names of clients outlive the
//     process.
//   - What is remembered of ranges that were served is bounded.
//
// It does not know what tools answer: a caller says what a call adds.
package usage
