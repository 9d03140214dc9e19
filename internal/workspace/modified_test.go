package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

func TestModified(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a", "b")
	modified := func() (time.Time, error) { return fsys.Modified(folder) }
	if at, err := modified(); !os.IsNotExist(err) || !at.IsZero() {
		t.Errorf("of nothing: %v, %v", at, err)
	}
	disktest.Must(t, os.MkdirAll(folder, 0o700))
	past := time.Unix(1_000_000_000, 123_000_000)
	disktest.Must(t, os.Chtimes(folder, past, past))
	if at, err := modified(); err != nil || !at.Equal(past) {
		t.Errorf("%v, %v", at, err)
	}
	disktest.Must(t, os.WriteFile(filepath.Join(folder, "c"), nil, 0o600))
	info, err := os.Stat(folder)
	disktest.Must(t, err)
	if at, err := modified(); err != nil || !at.Equal(info.ModTime()) || at.Equal(past) {
		t.Errorf("%v, %v", at, err)
	}
}
