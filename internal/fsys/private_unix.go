//go:build unix

package fsys

import (
	"os"
	"syscall"
)

// HasPermissions reports whether a folder's mode says who may enter it.
const HasPermissions = true

// OthersMayChange reports whether somebody else than this user and the
// superuser owns a file or folder or has the right to write to it. A group of
// the owner's own, which has the same number, is nobody else; nor do rights to a
// folder count in which everybody may only remove what is theirs.
func OthersMayChange(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) != os.Geteuid() && st.Uid != 0 {
		return true
	}
	mode := info.Mode()
	if mode.IsDir() && mode&os.ModeSticky != 0 {
		return false
	}
	shared := st.Gid != st.Uid && st.Gid != 0
	return mode.Perm()&0o002 != 0 || mode.Perm()&0o020 != 0 && shared
}

// OwnedByUser reports whether the file is this user's.
func OwnedByUser(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
