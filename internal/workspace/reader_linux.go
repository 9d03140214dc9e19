package workspace

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// openName opens a name in the reader's folder. It makes the call itself,
// because the wrapper copies the name to the heap each time.
func (r *Reader) openName(name string) (fd int, err error) {
	if len(name) >= len(r.path) {
		return -1, unix.ENAMETOOLONG
	}
	r.path[copy(r.path[:], name)] = 0
	for {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(r.dir.fd), uintptr(unsafe.Pointer(&r.path[0])),
			readerFlags|unix.O_LARGEFILE, 0, 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case unix.EINTR:
		default:
			return -1, errno
		}
	}
}
