// Package wire is the JSON codec: how the program's own values become JSON
// and come back, and how large texts become JSON strings quickly.
//
// Invariants:
//   - What is written is valid JSON in valid UTF-8 and the same for equal
//     values: members of maps are sorted, nothing is escaped for HTML.
//   - What is read is read strictly: names match with their case, a name
//     occurs once in an object, and strings are valid UTF-8. Nothing is
//     repaired silently.
//   - [AppendString] and [Marshal] write a string so that any JSON reader
//     gets the same string back; bytes that are not UTF-8 become U+FFFD.
//
// It does not frame messages and knows no protocol. Names spelled in other
// ways by callers are the tools' business.
package wire
