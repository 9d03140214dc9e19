//go:build linux || darwin

package fsys

import (
	"os"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

// TestCheckAt: an open folder is told from another that has its name, or is named.
func TestCheckAt(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"a/": "", "b/": ""})
	a, err := os.Open(dir + "/a")
	disktest.Must(t, err)
	defer a.Close()
	if err := CheckAt(a, dir+"/a"); err != nil {
		t.Errorf("the folder itself: %v", err)
	}
	if err := CheckAt(a, dir+"/b"); err != ErrPathChanged {
		t.Errorf("another: %v", err)
	}
	disktest.Must(t, os.Rename(dir+"/a", dir+"/c"))
	disktest.Must(t, os.Mkdir(dir+"/a", 0o700))
	if err := CheckAt(a, dir+"/a"); err != ErrPathChanged {
		t.Errorf("one that was moved: %v", err)
	}
	disktest.Must(t, os.Remove(dir+"/c"))
	if err := CheckAt(a, dir+"/a"); err != ErrPathChanged {
		t.Errorf("one that was removed: %v", err)
	}
}
