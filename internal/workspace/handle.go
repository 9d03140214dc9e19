package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
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

// maxTries bounds how often an open is tried anew when links or names change
// under it.
const maxTries = 8

// errSwapped says that a name or link changed while it was followed.
var errSwapped = errors.New("the path changed while it was opened")

// A file that is being replaced in place is closed to others for a moment: a
// lease keeps them waiting, and those that never wait are told to try again.
const (
	maxLeaseWaits = 50
	leaseWait     = time.Millisecond
)

// newHandle checks that f is a regular file of a real file system, and closes
// it otherwise. opened is the path it was opened by; below, which may be nil,
// the directory it was opened below.
func newHandle(f *os.File, opened string, below *openDir) (*Handle, error) {
	h, err := inspect(f, opened, below)
	if err != nil {
		f.Close()
		return nil, err
	}
	return h, nil
}

func inspect(f *os.File, opened string, below *openDir) (*Handle, error) {
	st, err := identify(f)
	switch {
	case err != nil:
		return nil, err
	case st.mode.IsDir():
		return nil, syscall.EISDIR
	case !st.mode.IsRegular():
		return nil, errNotAFile
	case below != nil && below.dev == st.id.Dev && below.pseudo:
		return nil, errNotAFile
	case (below == nil || below.dev != st.id.Dev) && isPseudo(f):
		return nil, errNotAFile
	}
	real, err := descriptorPath(f, opened)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, errSwapped
	case err != nil:
		return nil, err
	case real != opened && isGone(real) && !names(real, st.id):
		return nil, errSwapped
	}
	return &Handle{File: f, ID: st.id, Real: real, Mode: st.mode &^ os.ModeType, Links: st.links}, nil
}

// names tells whether path leads to the file of id.
func names(path string, id ID) bool {
	st, err := statPath(path)
	return err == nil && st.id.Dev == id.Dev && st.id.Ino == id.Ino
}

var errNotAFile = fault.New(fault.NotAFile, "not a regular file").
	Advise("FIFOs, sockets, devices and system files cannot be read as text")

// isSettled tells whether a state's times are so long ago that a change after
// now cannot carry the same.
func isSettled(id ID, now time.Time) bool {
	// How exact a file system's times are it does not tell; whole seconds
	// look like one of the old ones, which keep two.
	grain := 50 * time.Millisecond
	if id.Mtime%int64(time.Second) == 0 && id.Ctime%int64(time.Second) == 0 {
		grain = 3 * time.Second
	}
	return now.UnixNano()-max(id.Mtime, id.Ctime) > int64(grain)
}
