// Package history remembers what the calls of a session changed, and what changed
// on disk while a host's command ran, so that it can be shown and reverted.
//
// Invariants:
//   - An entry does not change once it was added, but for which change reverted it.
//   - Texts, bytes and entries are bounded; the oldest entries are forgotten first.
//   - Entries of commands, which cannot be reverted, do not push out those that can.
//
// It neither makes nor reverts changes, and keeps nothing between processes.
package history
