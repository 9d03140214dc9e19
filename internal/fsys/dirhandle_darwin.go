package fsys

import (
	"os"

	"golang.org/x/sys/unix"
)

// CanWatch says why not: the system wants a descriptor for each file of a watched folder.
const CanWatch = "watching every file would take one descriptor each on this system"

// OpenBelow opens the folder rel, a slash path, below o. No name in rel
// may be a link.
func (o *Dir) OpenBelow(rel string) (DirHandle, error) { return o.openStepwise(rel) }

// Entries appends the folder's entries to into. buf is not needed here.
func (d DirHandle) Entries(buf []byte, into []DirEntry) ([]byte, []DirEntry, error) {
	fd, err := openatPlain(d.fd, ".", listDirFlags)
	if err != nil {
		return buf, into, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	into, err = readEntries(f, into)
	return buf, into, err
}

// System tells on what sort of file system the directory is.
func (d DirHandle) System() (pseudo, remote bool) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(d.fd, &st); err != nil {
		return false, true
	}
	return false, st.Flags&unix.MNT_LOCAL == 0
}

// IsPseudoFile: there are no such systems here.
func (d DirHandle) IsPseudoFile(string) bool { return false }
