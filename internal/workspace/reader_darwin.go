package workspace

import "golang.org/x/sys/unix"

// openName opens a name in the reader's folder.
func (r *Reader) openName(name string) (fd int, err error) {
	for {
		fd, err = unix.Openat(r.dir.fd, name, readerFlags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
