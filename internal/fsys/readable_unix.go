//go:build linux || darwin

package fsys

import "golang.org/x/sys/unix"

// Readable reports whether bytes wait to be read from an open descriptor, a
// pipe's or a socket's.
func Readable(fd uintptr) bool { return polls(fd, unix.POLLIN) }

// HungUp reports whether the other end of an open socket is gone.
func HungUp(fd uintptr) bool { return polls(fd, unix.POLLHUP) }

func polls(fd uintptr, event int16) bool {
	fds := [1]unix.PollFd{{Fd: int32(fd), Events: event}}
	n, err := unix.Poll(fds[:], 0)
	return err == nil && n > 0 && fds[0].Revents&event != 0
}
