// Package setup adds agent-lsp to the configuration of hosts that speak MCP.
// A host is a row of a table: where its file is, and how servers are written
// there.
//
// Invariants: every byte of a file stays but those of the one entry; a second
// run changes nothing; an entry of the same name that starts something else
// is left alone.
//
// It reads and writes no files: the command line does.
package setup
