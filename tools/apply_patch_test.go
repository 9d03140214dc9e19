package tools

import (
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// TestPathsOfAPatch: whoever routes a call knows all that its patch names.
func TestPathsOfAPatch(t *testing.T) {
	all := All()
	d := all[slices.IndexFunc(all, func(d Definition) bool { return d.Name == "apply_patch" })]
	for arguments, want := range map[string][]string{
		`{"patch": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Delete File: c\n*** End Patch"}`: {"a", "b", "c"},
		`{"patch": "--- a/x/f\n+++ b/x/f\n@@\n-a\n+b\n", "dry_run": true}`:                                    {"x/f"},
		`{"patch": "no patch"}`: nil,
		`{"patch": 1}`:          nil,
		`{}`:                    nil,
	} {
		if got := d.Paths(wire.RawValue(arguments)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", arguments, got, want)
		}
	}
}
