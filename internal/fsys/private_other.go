//go:build !unix

package fsys

import "os"

// HasPermissions reports whether a folder's mode says who may enter it.
const HasPermissions = false

// OthersMayChange cannot tell here.
func OthersMayChange(os.FileInfo) bool { return false }

// OwnedByUser cannot tell here; the temporary folder is the user's own.
func OwnedByUser(os.FileInfo) bool { return true }
