package workspace

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// descriptorPath returns the absolute path, without links and in the disk's
// own spelling, of an open file. Of a file with several hard links the kernel
// may name another one; there the path as opened is resolved and compared.
func descriptorPath(f *os.File, opened string) (string, error) {
	if st, err := identify(f); err == nil && !st.mode.IsDir() && st.links > 1 {
		return resolvedPath(f, opened)
	}
	var buf [unix.PathMax]byte
	// F_GETPATH takes a buffer where locks take their description; this call
	// is the one that passes a pointer.
	err := unix.FcntlFlock(f.Fd(), unix.F_GETPATH, (*unix.Flock_t)(unsafe.Pointer(&buf[0])))
	runtime.KeepAlive(f)
	if err != nil {
		return "", &fs.PathError{Op: "fcntl", Path: opened, Err: err}
	}
	end := bytes.IndexByte(buf[:], 0)
	if end <= 0 {
		return "", &fs.PathError{Op: "fcntl", Path: opened, Err: unix.ENOENT}
	}
	return string(buf[:end]), nil
}

// resolvedPath resolves the links of a path and checks that it still names
// the open file.
func resolvedPath(f *os.File, opened string) (string, error) {
	real, err := filepath.EvalSymlinks(opened)
	if err != nil {
		return "", err
	}
	have, err := f.Stat()
	if err != nil {
		return "", err
	}
	named, err := os.Lstat(real)
	if err != nil {
		return "", err
	}
	if !os.SameFile(have, named) {
		return "", &fs.PathError{Op: "stat", Path: opened, Err: unix.ENOENT}
	}
	return real, nil
}

// isGone: the kernel does not mark removed files in their paths.
func isGone(string) bool { return false }

// hasNoLinks cannot be told cheaply here.
func (o *openDir) hasNoLinks(string) bool { return false }

// statPlain cannot be had cheaply here.
func (o *openDir) statPlain(string) (status, bool) { return status{}, false }

// isPseudo: devfs is the only such system, and its files are devices.
func isPseudo(*os.File) bool { return false }
