//go:build linux || darwin

package fsys

import (
	"io"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// PlainFile is a regular file that is open for reading, by its bare
// descriptor: it costs less than an [os.File], which counts when many files
// are read one after the other. Its owner closes it.
type PlainFile struct{ fd int }

// NoFile is none.
var NoFile = PlainFile{-1}

const plainFileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NOCTTY

// OpenPlainFile opens the regular file name in the directory, whose device is
// dev, and returns its state. It follows no link.
func (d DirHandle) OpenPlainFile(name string, dev uint64) (PlainFile, ID, error) {
	fd, err := d.openName(name)
	for waits := 0; err == unix.EAGAIN && waits < maxLeaseWaits; waits++ {
		time.Sleep(leaseWait)
		fd, err = d.openName(name)
	}
	if err != nil {
		return NoFile, ID{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f := PlainFile{fd}
	id, err := f.checked(name, dev)
	if err != nil {
		f.Close()
		return NoFile, ID{}, err
	}
	return f, id, nil
}

// openName opens a name in the directory.
func (d DirHandle) openName(name string) (fd int, err error) {
	for {
		fd, err = unix.Openat(d.fd, name, plainFileFlags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// checked returns the state of the file if it may be read.
func (f PlainFile) checked(name string, dev uint64) (ID, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Fstat(f.fd, &st) }); err != nil {
		return ID{}, &fs.PathError{Op: "fstat", Path: name, Err: err}
	}
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return ID{}, unix.EISDIR
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return ID{}, ErrNotAFile
	case uint64(st.Dev) != dev:
		if pseudo, _ := DirHandle(f).System(); pseudo {
			return ID{}, ErrNotAFile
		}
	}
	return idFrom(&st), nil
}

// IsOpen reports whether it is a file at all.
func (f PlainFile) IsOpen() bool { return f.fd >= 0 }

// ReadAt is [io.ReaderAt] over the file.
func (f PlainFile) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		m, err := unix.Pread(f.fd, b[n:], off+int64(n))
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: "file", Err: err}
		case m == 0:
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// NextHole returns where the first hole at or after off begins; size, the
// file's, when there is none before or the system does not tell.
func (f PlainFile) NextHole(off, size int64) int64 {
	at, err := unix.Seek(f.fd, off, unix.SEEK_HOLE) // what is read is read by pread, which has no place
	if err != nil {
		return size
	}
	return min(at, size)
}

// State returns the state of the file at this moment.
func (f PlainFile) State() (ID, error) {
	st, err := DirHandle(f).Status()
	return st.ID, err
}

// Close closes the file.
func (f PlainFile) Close() { unix.Close(f.fd) }
