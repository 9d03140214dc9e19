//go:build linux || darwin

package workspace

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// openLockFlags open a file in order to lock it.
const openLockFlags = openFileFlags | unix.O_NOFOLLOW

// lockFile takes the lock of an open file for as long as it is open, waiting
// for other processes when wait is set. Another open file of this process
// counts as another process.
func lockFile(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	err := retryInterrupted(func() error { return unix.Flock(int(f.Fd()), how) })
	runtime.KeepAlive(f)
	return err
}
