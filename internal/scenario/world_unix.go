//go:build unix

package scenario

import (
	"os"
	"syscall"
)

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o644) }

// shareFolder gives a folder a second name.
func shareFolder(folder, name string) error { return os.Symlink(folder, name) }
