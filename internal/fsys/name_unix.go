//go:build unix

package fsys

import "io/fs"

// IsName reports whether a single name can be a file's, as every one can here.
func IsName(string) bool { return true }

// spelled returns path in the disk's own spelling of its last name; links tell of
// other spellings here.
func spelled(path string) string { return path }

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }
