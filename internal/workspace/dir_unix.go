//go:build linux || darwin

package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// dirHandle is a directory opened for looking at its names. Its owner closes
// it.
type dirHandle struct{ fd int }

const listDirFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// openStepwise opens rel below o one name after the other, following no link.
func (o *openDir) openStepwise(rel string) (dirHandle, error) {
	fd, err := openatPlain(int(o.fd.Fd()), ".", listDirFlags)
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
		return noDir, err
	}
	return dirHandle{fd}, nil
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

// again opens the directory once more.
func (d dirHandle) again() (dirHandle, error) {
	fd, err := openatPlain(d.fd, ".", listDirFlags)
	return dirHandle{fd}, err
}

// noDir is none.
var noDir = dirHandle{-1}

// isOpen reports whether it is a directory at all.
func (d dirHandle) isOpen() bool { return d.fd >= 0 }

func (d dirHandle) close() { unix.Close(d.fd) }

// status returns the state of the directory itself.
func (d dirHandle) status() (status, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Fstat(d.fd, &st) }); err != nil {
		return status{}, &fs.PathError{Op: "fstat", Path: ".", Err: err}
	}
	return statusOf(&st), nil
}

// lstat returns the state of a name in the directory, a link not followed.
func (d dirHandle) lstat(name string) (status, error) {
	return d.statAt(name, unix.AT_SYMLINK_NOFOLLOW)
}

// stat returns the state of what a path below the directory leads to.
func (d dirHandle) stat(path string) (status, error) { return d.statAt(path, 0) }

func (d dirHandle) statAt(name string, flags int) (status, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(d.fd, name, &st, flags); err {
		case nil:
			return statusOf(&st), nil
		case unix.EINTR:
		default:
			return status{}, &fs.PathError{Op: "stat", Path: name, Err: err}
		}
	}
}

// readlink returns what a symbolic link in the directory says.
func (d dirHandle) readlink(name string) (string, error) {
	buf := make([]byte, maxPathBytes+1)
	n, err := unix.Readlinkat(d.fd, name, buf)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(buf[:n]), nil
}

// readFile returns up to limit bytes of the regular file that a name in the
// directory leads to.
func (d dirHandle) readFile(name string, limit int64) ([]byte, error) {
	fd, err := openatPlain(d.fd, name, openFileFlags|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	st, err := identify(f)
	switch {
	case err != nil:
		return nil, err
	case !st.mode.IsRegular():
		return nil, errNotAFile
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// isNoFolder tells the errors of opening what is no folder, or a link, from
// others.
func isNoFolder(err error) bool { return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) }
