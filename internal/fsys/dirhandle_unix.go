//go:build linux || darwin

package fsys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// DirHandle is a directory opened for looking at its names. Its owner closes
// it.
type DirHandle struct{ fd int }

const listDirFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// openStepwise opens rel below o one name after the other, following no link.
func (o *Dir) openStepwise(rel string) (DirHandle, error) {
	fd, err := openatPlain(int(o.File.Fd()), ".", listDirFlags)
	runtime.KeepAlive(o)
	for rel != "" && rel != "." && err == nil {
		var name string
		name, rel, _ = strings.Cut(rel, "/")
		var next int
		next, err = openatPlain(fd, name, listDirFlags)
		unix.Close(fd)
		fd = next
	}
	if err != nil {
		return NoDir, err
	}
	return DirHandle{fd}, nil
}

func openatPlain(in int, name string, flags int) (fd int, err error) {
	err = retryInterrupted(func() (err error) {
		fd, err = unix.Openat(in, name, flags, 0)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return fd, nil
}

// Again opens the directory once more.
func (d DirHandle) Again() (DirHandle, error) {
	fd, err := openatPlain(d.fd, ".", listDirFlags)
	return DirHandle{fd}, err
}

// NoDir is none.
var NoDir = DirHandle{-1}

// IsOpen reports whether it is a directory at all.
func (d DirHandle) IsOpen() bool { return d.fd >= 0 }

// Close closes the directory.
func (d DirHandle) Close() { unix.Close(d.fd) }

// Status returns the state of the directory itself.
func (d DirHandle) Status() (Status, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Fstat(d.fd, &st) }); err != nil {
		return Status{}, &fs.PathError{Op: "fstat", Path: ".", Err: err}
	}
	return StatusOf(&st), nil
}

// Lstat returns the state of a name in the directory, a link not followed.
func (d DirHandle) Lstat(name string) (Status, error) {
	return d.statAt(name, unix.AT_SYMLINK_NOFOLLOW)
}

// Stat returns the state of what a path below the directory leads to.
func (d DirHandle) Stat(path string) (Status, error) { return d.statAt(path, 0) }

func (d DirHandle) statAt(name string, flags int) (Status, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(d.fd, name, &st, flags); err {
		case nil:
			return StatusOf(&st), nil
		case unix.EINTR:
		default:
			return Status{}, &fs.PathError{Op: "stat", Path: name, Err: err}
		}
	}
}

// Readlink returns what a symbolic link in the directory says.
func (d DirHandle) Readlink(name string) (string, error) {
	buf := make([]byte, MaxPathBytes+1)
	n, err := unix.Readlinkat(d.fd, name, buf)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(buf[:n]), nil
}

// ReadFile returns up to limit bytes of the regular file that a name in the
// directory leads to.
func (d DirHandle) ReadFile(name string, limit int64) ([]byte, error) {
	fd, err := openatPlain(d.fd, name, OpenFileFlags|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	st, err := StatFile(f)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode.IsRegular():
		return nil, ErrNotAFile
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// IsNotFolder tells the errors of opening what is no folder, or a link, from
// others.
func IsNotFolder(err error) bool { return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) }
