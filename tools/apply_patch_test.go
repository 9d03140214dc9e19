package tools

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/wording"
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
		if got := d.About(wire.RawValue(arguments)).Paths; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", arguments, got, want)
		}
	}
}

// TestUnreadFilesAreNamed: as many as are read with one look, and the count of
// the others.
func TestUnreadFilesAreNamed(t *testing.T) {
	for n, more := range map[int]bool{1: false, wording.MaxNamed: false, wording.MaxNamed + 1: true} {
		unread := make([]map[string]string, n)
		for i := range unread {
			unread[i] = map[string]string{"path": fmt.Sprint("f", i)}
		}
		said := hashesRequired(unread).Error()
		if got := strings.Contains(said, "in all"); got != more || strings.Count(said, "f") < min(n, wording.MaxNamed) {
			t.Errorf("of %d files: %s", n, said)
		}
	}
}
