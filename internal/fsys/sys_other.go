//go:build !linux

package fsys

import (
	"io/fs"
	"os"
	"path/filepath"
)

// resolvedPath resolves the links of a path and checks that it still names
// the open file.
func resolvedPath(f *os.File, opened string) (string, error) {
	real, err := filepath.EvalSymlinks(opened)
	if err != nil {
		return "", err
	}
	have, err := f.Stat()
	if err != nil {
		return "", err
	}
	named, err := os.Lstat(real)
	if err != nil {
		return "", err
	}
	if !os.SameFile(have, named) {
		return "", &fs.PathError{Op: "stat", Path: opened, Err: fs.ErrNotExist}
	}
	return real, nil
}

// isGone: what is removed is not marked in its path here, or cannot be removed
// while it is open.
func isGone(string) bool { return false }

// HasNoLinks cannot be told cheaply here.
func (o *Dir) HasNoLinks(string) bool { return false }

// StatPlain cannot be had cheaply here.
func (o *Dir) StatPlain(string) (Status, bool) { return Status{}, false }

// isPseudo: there are no such systems here, but for devfs, whose files are
// devices.
func isPseudo(*os.File) bool { return false }
