//go:build linux || darwin

package workspace

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock on an open file, which holds until the file is
// closed. It is not ok when somebody else has it.
func lockFile(f *os.File) (ok bool, err error) {
	err = retryInterrupted(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	runtime.KeepAlive(f)
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
