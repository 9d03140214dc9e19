package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/windows"
)

// Flags for opening.
const (
	OpenFileFlags = os.O_RDONLY
	OpenDirFlags  = os.O_RDONLY
)

// OpenRoot is [os.OpenRoot] that lets others rename and remove the folder
// meanwhile, as everywhere else: only what is opened below a root does here.
func OpenRoot(path string) (*os.Root, error) {
	holding, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer holding.Close()
	return holding.OpenRoot(".")
}

// StatFile returns the state of an open file.
func StatFile(f *os.File) (Status, error) {
	st, err := statHandle(windows.Handle(f.Fd()))
	runtime.KeepAlive(f)
	if err != nil {
		return Status{}, &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return StatusOf(&st), nil
}

// StatPath returns the state of what a path names, links followed.
func StatPath(path string) (Status, error) {
	f, err := OpenToRead(path)
	if err != nil {
		return Status{}, err
	}
	defer f.Close()
	return StatFile(f)
}

// StatBelow returns the state of what rel, a slash path, names below the
// directory; "" is the directory. It is for policy to look at.
func (o *Dir) StatBelow(rel string) (Status, error) {
	return StatPath(filepath.Join(o.Real, filepath.FromSlash(rel)))
}

// DescriptorPath returns the absolute path of an open file, without links and
// short names and in the disk's own spelling. The second argument matters on
// other systems only.
func DescriptorPath(f *os.File, opened string) (string, error) {
	h := windows.Handle(f.Fd())
	defer runtime.KeepAlive(f)
	buf := make([]uint16, MaxPathBytes+1)
	for {
		n, err := windows.GetFinalPathNameByHandle(h, &buf[0], uint32(len(buf)), 0) // normalised, with the drive
		if errors.Is(err, windows.ERROR_MORE_DATA) {                                // wine, of a long path
			return resolvedPath(f, opened)
		}
		if err != nil {
			return "", &fs.PathError{Op: "realpath", Path: opened, Err: err}
		}
		if int(n) < len(buf) {
			return plainPath(windows.UTF16ToString(buf[:n])), nil
		}
		buf = make([]uint16, n+1)
	}
}

// plainPath is a path as people write it, without the mark that it is taken as it
// is.
func plainPath(path string) string {
	if share, ok := strings.CutPrefix(path, `\\?\UNC\`); ok {
		return `\\` + share
	}
	rest, _ := strings.CutPrefix(path, `\\?\`)
	return rest
}

// removeFolder removes the empty folder name in an open one.
func removeFolder(in *os.Root, name string) error { return in.Remove(name) }

// retryInterrupted makes a call: no signals interrupt any here.
func retryInterrupted(call func() error) error { return call() }
