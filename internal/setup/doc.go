// Package setup adds agent-lsp to the configuration of hosts that speak MCP,
// with leave to call its tools, and takes it out again. A host is a row of a
// table: where its files are, how servers are written there, and how it is
// told which tools it may call without asking.
//
// Invariants: every byte of a file stays but those of the entry and the
// permission lines; a second run changes nothing; removing gives back what was
// there before; an entry of the same name that starts something else is left
// alone; no permission covers a tool that runs commands.
//
// It reads and writes no files: the command line does.
package setup
