package fsys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// CanWatch is empty: folders are watched one by one.
const CanWatch = ""

// DirHandle is a directory opened for looking at its names. Its owner closes
// it.
type DirHandle struct{ root *os.Root }

// OpenBelow opens the folder rel, a slash path, below o. Links that lead
// out of o are not followed, and none is where it was one when looked at.
func (o *Dir) OpenBelow(rel string) (DirHandle, error) {
	if rel == "" {
		rel = "."
	}
	rel = filepath.FromSlash(rel)
	for at := rel; at != "."; at = filepath.Dir(at) {
		info, err := o.Root.Lstat(at)
		switch {
		case err != nil:
			return DirHandle{}, err
		case !info.IsDir():
			return DirHandle{}, &fs.PathError{Op: "open", Path: rel, Err: windows.ERROR_DIRECTORY}
		}
	}
	r, err := o.Root.OpenRoot(rel)
	return DirHandle{r}, err
}

// Again opens the directory once more.
func (d DirHandle) Again() (DirHandle, error) {
	r, err := d.root.OpenRoot(".")
	return DirHandle{r}, err
}

// Close closes the directory.
func (d DirHandle) Close() { d.root.Close() }

// Status returns the state of the directory itself.
func (d DirHandle) Status() (Status, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return Status{}, err
	}
	defer f.Close()
	return StatFile(f)
}

// Lstat returns the state of a name in the directory, a link not followed.
func (d DirHandle) Lstat(name string) (Status, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return Status{}, err
	}
	if info.Mode().IsRegular() {
		if f, err := d.root.Open(name); err == nil {
			defer f.Close()
			return StatFile(f)
		}
	}
	return Status{ID: ID{Size: info.Size(), Mtime: info.ModTime().UnixNano()}, Mode: info.Mode(), Links: 1}, nil
}

// Readlink returns what a symbolic link in the directory says.
func (d DirHandle) Readlink(name string) (string, error) { return d.root.Readlink(name) }

// Stat returns the state of what a path below the directory leads to.
func (d DirHandle) Stat(path string) (Status, error) {
	f, err := d.root.Open(path)
	if err != nil {
		return Status{}, err
	}
	defer f.Close()
	return StatFile(f)
}

// ReadFile returns up to limit bytes of the regular file that a name in the
// directory leads to.
func (d DirHandle) ReadFile(name string, limit int64) ([]byte, error) {
	info, err := d.root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, ErrNotAFile
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// Entries appends the folder's entries to into. buf is not needed here.
func (d DirHandle) Entries(buf []byte, into []DirEntry) ([]byte, []DirEntry, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return buf, into, err
	}
	defer f.Close()
	into, err = readEntries(f, into)
	return buf, into, err
}

// System tells on what sort of file system the directory is: it is not known.
func (d DirHandle) System() (pseudo, remote bool) { return false, false }

// IsPseudoFile: there are no such systems here.
func (d DirHandle) IsPseudoFile(string) bool { return false }

// IsNotFolder tells the errors of opening what is no folder, or a link, from
// others.
func IsNotFolder(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
