package fsys

import (
	"os"
	"runtime"

	"golang.org/x/sys/windows"
)

// OpenLockFlags open a file in order to lock it.
const OpenLockFlags = os.O_RDWR

// LockFile takes the lock on an open file, which holds until the file is
// closed; with wait it waits for other processes. It is not ok when somebody
// else has it. The locked byte is one that no file has, so that reading goes
// on.
func LockFile(f *os.File, wait bool) (ok bool, err error) {
	ok, err = lockHandle(windows.Handle(f.Fd()), wait)
	runtime.KeepAlive(f)
	return ok, err
}

func lockHandle(h windows.Handle, wait bool) (ok bool, err error) {
	var flags uint32 = windows.LOCKFILE_EXCLUSIVE_LOCK
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err = windows.LockFileEx(h, flags, 0, 1, 0, &at)
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}
