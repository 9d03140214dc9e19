//go:build unix && !linux

package direct

import "syscall"

// Read is as on Linux.
func Read(fd uintptr, b []byte) (n int, err error) {
	n, err = ignoringEINTR(syscall.Read, int(fd), b)
	return max(n, 0), err
}

// Write is as on Linux.
func Write(fd uintptr, b []byte) (n int, err error) {
	n, err = ignoringEINTR(syscall.Write, int(fd), b)
	return max(n, 0), err
}

func ignoringEINTR(call func(int, []byte) (int, error), fd int, b []byte) (n int, err error) {
	for {
		if n, err = call(fd, b); err != syscall.EINTR { //nolint:errorlint // a system call returns its number as it is
			return n, err
		}
	}
}
