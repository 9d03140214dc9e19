// Package jsonc reads JSON that has comments and trailing commas, as people
// write it in settings files, and sets, adds and cuts single values of such a
// text without touching another byte of it.
//
// Invariants: [Put] and [Append] keep every byte of the text but those of the
// value, and one comma; [Cut] and [CutElements] take out what these wrote, and
// keep every comment; what is returned parses.
package jsonc
