package mcp

import "github.com/agent-lsp/agent-lsp/tools"

// Permissions returns the names of the tools that a person may let a host call
// without being asked, by what their annotations tell hosts: those that change
// nothing, and those that change files. A tool that runs commands is in
// neither.
func Permissions() (reads, changes []string) {
	for _, d := range tools.All() {
		a := annotations(d)
		switch {
		case d.ForHosts || *a.OpenWorldHint:
		case a.ReadOnlyHint:
			reads = append(reads, d.Name)
		default:
			changes = append(changes, d.Name)
		}
	}
	return reads, changes
}
