package workspace

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Modified returns a function, for any goroutine, that tells when the entries of
// a folder changed last, at an absolute path; zero with an error when it cannot
// be looked at. What a network file system's server knows is not asked for: what
// this machine's processes did is.
//
// On a file system of this machine the call does not wait, and goes past the
// scheduler as those of package direct do. On another one it may, for ever: the
// whole process would.
func Modified(folder string) func() (time.Time, error) {
	local := sync.OnceValue(func() bool { return isLocal(folder) })
	return func() (time.Time, error) {
		if !local() {
			return modified(folder)
		}
		return modifiedHere(folder)
	}
}

// isLocal tells whether a folder, or what it will be in, is on a file system
// that no other process or machine answers for.
func isLocal(folder string) bool {
	var st unix.Statfs_t
	for {
		err := retryInterrupted(func() error { return unix.Statfs(folder, &st) })
		above := filepath.Dir(folder)
		if err == nil || !errors.Is(err, unix.ENOENT) || above == folder {
			return err == nil && !slices.Contains(remoteSystems, int64(uint32(st.Type)))
		}
		folder = above
	}
}

func modifiedHere(folder string) (time.Time, error) {
	path, err := unix.BytePtrFromString(folder)
	if err != nil {
		return time.Time{}, err
	}
	at := unix.AT_FDCWD
	var found unix.Statx_t
	_, _, errno := syscall.RawSyscall6(unix.SYS_STATX, uintptr(at), uintptr(unsafe.Pointer(path)),
		unix.AT_NO_AUTOMOUNT|unix.AT_STATX_DONT_SYNC, unix.STATX_MTIME, uintptr(unsafe.Pointer(&found)), 0)
	switch errno {
	case 0:
	case unix.ENOSYS, unix.EPERM: // an old system, or a sandbox that does not know the call
		return modified(folder)
	default:
		return time.Time{}, errno
	}
	return time.Unix(found.Mtime.Sec, int64(found.Mtime.Nsec)), nil
}
