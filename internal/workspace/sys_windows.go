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

// statBelow returns the state of what rel, a slash path, names below the
// directory; "" is the directory. It is for policy to look at.
func (o *openDir) statBelow(rel string) (status, error) {
	return statPath(filepath.Join(o.real, filepath.FromSlash(rel)))
}

// descriptorPath resolves the path that a file was opened by.
func descriptorPath(f *os.File, opened string) (string, error) { return resolvedPath(f, opened) }

// removeFolder removes the empty folder name in an open one.
func removeFolder(in *os.Root, name string) error { return in.Remove(name) }
