package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// canWatch: the system wants a descriptor for each file of a watched folder.
const canWatch = "watching every file would take one descriptor each on this system"

// openFolderAt opens the folder rel, a slash path, below o. No name in rel
// may be a link.
func (o *openDir) openFolderAt(rel string) (dirHandle, error) { return o.openStepwise(rel) }

// entries appends the folder's entries to into. buf is not needed here.
func (d dirHandle) entries(buf []byte, into []rawEntry) ([]byte, []rawEntry, error) {
	fd, err := openatPlain(d.fd, ".", listDirFlags)
	if err != nil {
		return buf, into, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	into, err = readEntries(f, into)
	return buf, into, err
}

// system tells on what sort of file system the directory is.
func (d dirHandle) system() (pseudo, remote bool) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(d.fd, &st); err != nil {
		return false, true
	}
	return false, st.Flags&unix.MNT_LOCAL == 0
}

// isPseudoFile: there are no such systems here.
func (d dirHandle) isPseudoFile(string) bool { return false }
