//go:build !linux

package workspace

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

// hasNoLinks cannot be told cheaply here.
func (o *openDir) hasNoLinks(string) bool { return false }

// statPlain cannot be had cheaply here.
func (o *openDir) statPlain(string) (status, bool) { return status{}, false }

// isPseudo: there are no such systems here, but for devfs, whose files are
// devices.
func isPseudo(*os.File) bool { return false }
