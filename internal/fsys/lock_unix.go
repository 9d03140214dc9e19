//go:build linux || darwin

package fsys

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// OpenLockFlags open a file in order to lock it.
const OpenLockFlags = OpenFileFlags | unix.O_NOFOLLOW

// LockFile takes the lock on an open file, which holds until the file is
// closed; with wait it waits for other processes. Another open file of this
// process counts as another process. It is not ok when somebody else has it.
func LockFile(f *os.File, wait bool) (ok bool, err error) {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	err = retryInterrupted(func() error { return unix.Flock(int(f.Fd()), how) })
	runtime.KeepAlive(f)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
