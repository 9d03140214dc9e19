//go:build unix

package fsys

import (
	"io/fs"
	"os"
)

// IsName reports whether a single name can be a file's, as every one can here.
func IsName(string) bool { return true }

// spelled returns path in the disk's own spelling of its last name; links tell of
// other spellings here.
func spelled(path string, _ bool) string { return path }

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// OpenToRead opens the file at a path for reading; it never waits.
func OpenToRead(path string) (*os.File, error) { return os.OpenFile(path, OpenFileFlags, 0) }
