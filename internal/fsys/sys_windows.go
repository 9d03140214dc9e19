package fsys

import (
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// Flags for opening.
const (
	OpenFileFlags = os.O_RDONLY
	OpenDirFlags  = os.O_RDONLY
)

// StatFile returns the state of an open file.
func StatFile(f *os.File) (Status, error) {
	info, err := f.Stat()
	if err != nil {
		return Status{}, err
	}
	var file windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &file); err != nil {
		return Status{}, &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return Status{
		ID: ID{
			Dev:   uint64(file.VolumeSerialNumber),
			Ino:   uint64(file.FileIndexHigh)<<32 | uint64(file.FileIndexLow),
			Size:  info.Size(),
			Mtime: info.ModTime().UnixNano(),
		},
		Mode:  info.Mode(),
		Links: uint64(file.NumberOfLinks),
	}, nil
}

// StatPath returns the state of what a path names, links followed.
func StatPath(path string) (Status, error) {
	f, err := os.Open(path)
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

// DescriptorPath resolves the path that a file was opened by.
func DescriptorPath(f *os.File, opened string) (string, error) { return resolvedPath(f, opened) }

// removeFolder removes the empty folder name in an open one.
func removeFolder(in *os.Root, name string) error { return in.Remove(name) }
