package workspace

import (
	"io/fs"
	"os"
)

// ID tells one state of one file from every other: which file, and since when
// it is as it is. IDs are comparable; times are nanoseconds since 1970. Where
// the system does not keep one of them (Windows: Ctime), it is zero.
type ID struct {
	Dev, Ino     uint64
	Size         int64 // bytes
	Mtime, Ctime int64
}

// status is what the system says about an open file.
type status struct {
	id    ID
	mode  fs.FileMode
	links uint64
}

// Handle is an open regular file. The caller closes it.
type Handle struct {
	File  *os.File
	ID    ID          // when it was opened
	Real  string      // its absolute path without links when it was opened
	Mode  fs.FileMode // type bits are zero
	Links uint64      // hard links, this one included
}

// Close closes the file.
func (h *Handle) Close() error { return h.File.Close() }

// Unchanged tells whether the open file is still in the state of h.ID, so
// that what was read through h is one version of it.
func (h *Handle) Unchanged() bool {
	st, err := identify(h.File)
	return err == nil && st.id == h.ID
}
