//go:build linux || darwin

package workspace

import "golang.org/x/sys/unix"

// Readable tells whether bytes wait to be read from an open descriptor, a
// pipe's or a socket's.
func Readable(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}
