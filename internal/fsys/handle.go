package fsys

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

// Status is what the system says about an open file.
type Status struct {
	ID    ID
	Mode  fs.FileMode
	Links uint64
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

// Unchanged reports whether the open file is still in the state of h.ID, so
// that what was read through h is one version of it.
func (h *Handle) Unchanged() bool {
	st, err := StatFile(h.File)
	return err == nil && st.ID == h.ID
}

// MaxTries bounds how often an open is tried anew when links or names change
// under it.
const MaxTries = 8

// ErrPathChanged says that a name or link changed while it was followed.
var ErrPathChanged = errors.New("the path changed while it was opened")

// A file that is being replaced in place is closed to others for a moment: a
// lease keeps them waiting, and those that never wait are told to try again.
const (
	maxLeaseWaits = 50
	leaseWait     = time.Millisecond
)

// NewHandle checks that f is a regular file of a real file system, and closes
// it otherwise. opened is the path it was opened by; below, which may be nil,
// the directory it was opened below.
func NewHandle(f *os.File, opened string, below *Dir) (*Handle, error) {
	h, err := inspect(f, opened, below)
	if err != nil {
		f.Close()
		return nil, err
	}
	return h, nil
}

func inspect(f *os.File, opened string, below *Dir) (*Handle, error) {
	st, err := StatFile(f)
	switch {
	case err != nil:
		return nil, err
	case st.Mode.IsDir():
		return nil, syscall.EISDIR
	case !st.Mode.IsRegular():
		return nil, ErrNotAFile
	case below != nil && below.dev == st.ID.Dev && below.Pseudo:
		return nil, ErrNotAFile
	case (below == nil || below.dev != st.ID.Dev) && isPseudo(f):
		return nil, ErrNotAFile
	}
	real, err := DescriptorPath(f, opened)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, ErrPathChanged
	case err != nil:
		return nil, err
	case real != opened && isGone(real) && !LeadsTo(real, st.ID):
		return nil, ErrPathChanged
	}
	return &Handle{File: f, ID: st.ID, Real: real, Mode: st.Mode &^ os.ModeType, Links: st.Links}, nil
}

// LeadsTo reports whether path leads to the file of id.
func LeadsTo(path string, id ID) bool {
	st, err := StatPath(path)
	return err == nil && st.ID.Dev == id.Dev && st.ID.Ino == id.Ino
}

// ErrNotAFile is the error for what is no regular file of a real file system.
var ErrNotAFile = fault.New(fault.NotAFile, "not a regular file").
	Advise("FIFOs, sockets, devices and system files cannot be read as text")

// TimesAreFinal reports whether a state's times are so long ago that a change after
// now cannot carry the same.
func TimesAreFinal(id ID, now time.Time) bool {
	// How exact a file system's times are it does not tell; whole seconds
	// look like one of the old ones, which keep two.
	grain := 50 * time.Millisecond
	if id.Mtime%int64(time.Second) == 0 && id.Ctime%int64(time.Second) == 0 {
		grain = 3 * time.Second
	}
	return now.UnixNano()-max(id.Mtime, id.Ctime) > int64(grain)
}
