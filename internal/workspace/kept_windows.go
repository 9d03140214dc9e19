package workspace

import (
	"os"
	"runtime"

	"golang.org/x/sys/windows"
)

// openLockFlags open a file in order to lock it.
const openLockFlags = os.O_RDWR

// lockFile takes the lock of an open file for as long as it is open, waiting
// for other processes when wait is set. The locked byte is one that no file
// has, so that reading goes on.
func lockFile(f *os.File, wait bool) error {
	var flags uint32 = windows.LOCKFILE_EXCLUSIVE_LOCK
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	runtime.KeepAlive(f)
	return err
}
