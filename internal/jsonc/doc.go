// Package jsonc reads JSON that has comments and trailing commas, as people
// write it in settings files, and sets one member of such a text without
// touching another byte of it.
//
// Invariants: [Put] keeps every byte of the text but those of the member, and
// one comma; what it returns parses.
package jsonc
