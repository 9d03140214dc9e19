//go:build unix

package workspace

import (
	"os"
	"syscall"
)

// permissionsCount tells whether a folder's mode says who may enter it.
const permissionsCount = true

func ownedByUser(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
