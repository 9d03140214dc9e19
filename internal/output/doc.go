// Package output keeps, cuts and runs: it keeps the output of commands on
// disk, chooses the part of it that tells what happened, and runs commands.
//
// A [Store] is a folder of kept streams, within a budget of size and age. A
// [Recording] is one command's output on its way there: each of its two
// streams is written to disk as it is, byte for byte, and goes through a
// [Selector], which holds on to what may be shown. [Run] runs a command into
// a recording.
//
// Invariants:
//   - A kept file holds the exact bytes of its stream, or is said to be cut.
//   - A selector is total: any bytes give a result. It sees each byte once and
//     holds a bounded part of them, whatever their number.
//   - A selection keeps to its budget in bytes, and its lines are the
//     stream's, in the stream's order, but for the marks.
//   - A command ends, with its whole process group, when its context, its
//     time or this process does; and nothing that it leaves behind keeps [Run]
//     waiting.
//   - Writing to a recording never fails: a full disk costs the kept file its
//     end, not the command its run.
//
// What tells of errors is data: see rules_table.go. The package reads neither
// clock nor environment, and reaches the disk through workspace.
package output
