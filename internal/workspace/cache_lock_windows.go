package workspace

import (
	"os"
	"runtime"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock on an open file, which holds until the file is
// closed. It is not ok when somebody else has it.
func lockFile(f *os.File) (ok bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	runtime.KeepAlive(f)
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}
