package workspace

import (
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

const (
	openFileFlags = os.O_RDONLY
	openDirFlags  = os.O_RDONLY
)

// identify returns the state of an open file.
func identify(f *os.File) (status, error) {
	info, err := f.Stat()
	if err != nil {
		return status{}, err
	}
	var file windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &file); err != nil {
		return status{}, &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return status{
		id: ID{
			Dev:   uint64(file.VolumeSerialNumber),
			Ino:   uint64(file.FileIndexHigh)<<32 | uint64(file.FileIndexLow),
			Size:  info.Size(),
			Mtime: info.ModTime().UnixNano(),
		},
		mode:  info.Mode(),
		links: uint64(file.NumberOfLinks),
	}, nil
}

// statPath returns the state of what a path names, links followed.
func statPath(path string) (status, error) {
	f, err := os.Open(path)
	if err != nil {
		return status{}, err
	}
	defer f.Close()
	return identify(f)
}

// descriptorPath resolves the links of the path that a file was opened by and
// checks that it still names the open file.
func descriptorPath(f *os.File, opened string) (string, error) {
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
		return "", &fs.PathError{Op: "stat", Path: opened, Err: fs.ErrNotExist}
	}
	return real, nil
}

// isGone: a file that is open keeps its name here.
func isGone(string) bool { return false }

// hasNoLinks cannot be told cheaply here.
func (o *openDir) hasNoLinks(string) bool { return false }

// statPlain cannot be had cheaply here.
func (o *openDir) statPlain(string) (status, bool) { return status{}, false }

// isPseudo: there are no such systems.
func isPseudo(*os.File) bool { return false }

// removeFolder removes the empty folder name in an open one.
func removeFolder(in *os.Root, name string) error { return in.Remove(name) }
