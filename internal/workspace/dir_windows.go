package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// canWatch: folders are watched one by one.
const canWatch = ""

// dirHandle is a directory opened for looking at its names. Its owner closes
// it.
type dirHandle struct{ root *os.Root }

// openFolderAt opens the folder rel, a slash path, below o. Links that lead
// out of o are not followed, and none is where it was one when looked at.
func (o *openDir) openFolderAt(rel string) (dirHandle, error) {
	if rel == "" {
		rel = "."
	}
	rel = filepath.FromSlash(rel)
	for at := rel; at != "."; at = filepath.Dir(at) {
		info, err := o.root.Lstat(at)
		switch {
		case err != nil:
			return dirHandle{}, err
		case !info.IsDir():
			return dirHandle{}, &fs.PathError{Op: "open", Path: rel, Err: syscall.ENOTDIR}
		}
	}
	r, err := o.root.OpenRoot(rel)
	return dirHandle{r}, err
}

// again opens the directory once more.
func (d dirHandle) again() (dirHandle, error) {
	r, err := d.root.OpenRoot(".")
	return dirHandle{r}, err
}

func (d dirHandle) close() { d.root.Close() }

// status returns the state of the directory itself.
func (d dirHandle) status() (status, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return status{}, err
	}
	defer f.Close()
	return identify(f)
}

// lstat returns the state of a name in the directory, a link not followed.
func (d dirHandle) lstat(name string) (status, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return status{}, err
	}
	if info.Mode().IsRegular() {
		if f, err := d.root.Open(name); err == nil {
			defer f.Close()
			return identify(f)
		}
	}
	return status{id: ID{Size: info.Size(), Mtime: info.ModTime().UnixNano()}, mode: info.Mode(), links: 1}, nil
}

// readlink returns what a symbolic link in the directory says.
func (d dirHandle) readlink(name string) (string, error) { return d.root.Readlink(name) }

// stat returns the state of what a path below the directory leads to.
func (d dirHandle) stat(path string) (status, error) {
	f, err := d.root.Open(path)
	if err != nil {
		return status{}, err
	}
	defer f.Close()
	return identify(f)
}

// readFile returns up to limit bytes of the regular file that a name in the
// directory leads to.
func (d dirHandle) readFile(name string, limit int64) ([]byte, error) {
	info, err := d.root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotAFile
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// entries appends the folder's entries to into. buf is not needed here.
func (d dirHandle) entries(buf []byte, into []rawEntry) ([]byte, []rawEntry, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return buf, into, err
	}
	defer f.Close()
	into, err = readEntries(f, into)
	return buf, into, err
}

// system tells on what sort of file system the directory is: it is not known.
func (d dirHandle) system() (pseudo, remote bool) { return false, false }

// isPseudoFile: there are no such systems here.
func (d dirHandle) isPseudoFile(string) bool { return false }

// isNoFolder tells the errors of opening what is no folder, or a link, from
// others.
func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
