// Package form writes the results of tools in the forms in which answers are
// sent: LSP's, MCP's, and those without an envelope. Whoever answers a call
// writes it in the form of the front that asked, so that the fronts pass bytes
// on without reading them.
//
// It does not know what tools do: a result is a rendering and a structured
// value.
package form
