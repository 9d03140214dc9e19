package mcp

import (
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools"
)

// Every tool is placed: whoever adds one says here who may call it without asking.
func TestPermissions(t *testing.T) {
	placed := map[string]string{
		"read_file": "read", "list_directory": "read", "outline": "read", "grep_files": "read", "find_files": "read",
		"open_files": "read", "diagnostics": "read", "references": "read", "edit_history": "read",
		"edit_file": "all", "write_file": "all", "apply_patch": "all", "replace_in_files": "all", "rename_symbol": "all", "code_action": "all", "revert_edit": "all",
		"run_command": "never", "persist_output": "never",
	}
	reads, changes := Permissions()
	for _, d := range tools.All() {
		is := "never"
		switch {
		case slices.Contains(reads, d.Name):
			is = "read"
		case slices.Contains(changes, d.Name):
			is = "all"
		}
		if is != placed[d.Name] {
			t.Errorf("%s may be called unasked at %q, want %q", d.Name, is, placed[d.Name])
		}
	}
	if len(placed) != len(tools.All()) {
		t.Errorf("%d tools are placed, there are %d", len(placed), len(tools.All()))
	}
}
