// Package schema makes the JSON Schema of a tool's arguments and answers from their Go
// types, in full and as a model is sent it, and reads arguments by it.
//
// Invariants:
//   - Arguments that fit are read as they are. Else what models write is mended where it
//     can mean one thing only; all else is an error that names the argument.
//   - A name by habit of other tools is understood where its meaning is the same.
//
// It knows no tool: their closed lists of values are handed to it.
package schema
