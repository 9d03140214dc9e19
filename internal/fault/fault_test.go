package fault_test

import (
	"io/fs"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// TestHintsOfSystemErrors: who can do something about a full or read-only disk
// is told.
func TestHintsOfSystemErrors(t *testing.T) {
	for errno, kind := range map[syscall.Errno]fault.Kind{syscall.ENOSPC: fault.DiskFull, syscall.EFBIG: fault.DiskFull, syscall.EROFS: fault.ReadOnly} {
		e := fault.From(&fs.PathError{Op: "write", Path: "x", Err: errno})
		if e.Kind != kind || e.Hint == "" {
			t.Errorf("%v: kind %s, hint %q", errno, e.Kind, e.Hint)
		}
	}
}
