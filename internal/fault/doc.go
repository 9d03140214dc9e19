// Package fault is the one error type that crosses package borders.
//
// A failure that a caller of a tool may see has a [Kind] from a closed list,
// decided where the failure is understood and mapped once by each front
// (LSP, MCP, command line). It says what is wrong and, in its hint, what to
// do next.
//
// Invariants: a Kind is one of the constants here; an [Error] is not changed
// after it was returned to another package.
//
// It does not render errors for people or protocols: tools does.
package fault
