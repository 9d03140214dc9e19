//go:build !unix

package workspace

import "os"

// permissionsCount tells whether a folder's mode says who may enter it.
const permissionsCount = false

// othersMayChange cannot tell here.
func othersMayChange(os.FileInfo) bool { return false }

// ownedByUser cannot tell here; the temporary folder is the user's own.
func ownedByUser(os.FileInfo) bool { return true }
