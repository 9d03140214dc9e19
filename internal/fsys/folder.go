package fsys

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Folder opens a folder's directory, and opens it anew when the folder was
// removed and made again at the same place.
type Folder struct {
	path string
	open atomic.Pointer[Dir] // nil while the folder does not exist
}

// Now returns the directory that is open; nil while the folder does not exist.
func (d *Folder) Now() *Dir { return d.open.Load() }

// Dir is an open directory. It is never closed by hand: operations of
// dropped gates may still use it.
type Dir struct {
	Root   *os.Root
	File   *os.File // the same directory, for calls that os.Root does not have
	Real   string   // its absolute path without links when it was opened
	dev    uint64
	ino    uint64
	Pseudo bool // on /proc or its like, where nothing is a file

	keep sync.Once
	kept any // see Memo
}

// Memo returns what the first call's make returned: a package above keeps there
// what it knows of the directory, for as long as this one is open.
func (o *Dir) Memo(make func() any) any {
	o.keep.Do(func() { o.kept = make() })
	return o.kept
}

// OpenFile opens the file rel, in system form, below the directory for reading.
// Links are followed as far as they stay below it. A file that another program
// keeps to itself for a moment is waited for.
func (o *Dir) OpenFile(rel string) (*os.File, error) {
	f, err := o.Root.OpenFile(rel, OpenFileFlags, 0)
	for range maxLeaseWaits {
		if !errors.Is(err, syscall.EAGAIN) {
			break
		}
		time.Sleep(leaseWait)
		f, err = o.Root.OpenFile(rel, OpenFileFlags, 0)
	}
	return f, err
}

// OpenFolder opens the folder at an absolute path. The Folder is usable also with an error:
// its directory may come to be there later.
func OpenFolder(path string) (*Folder, error) {
	d := &Folder{path: path}
	o, err := OpenDir(path)
	if err != nil {
		return d, err
	}
	d.open.Store(o)
	return d, nil
}

// OpenDir opens a directory by its path. Links in the path are followed:
// the person who chose the folder chose them.
func OpenDir(path string) (*Dir, error) {
	// os.OpenRoot would block on a FIFO.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fault.New(fault.NotDirectory, "not a folder")
	}
	r, err := OpenRoot(path)
	if err != nil {
		return nil, err
	}
	fd, err := r.OpenFile(".", OpenDirFlags, 0)
	if err != nil {
		return nil, err
	}
	st, err := StatFile(fd)
	if err != nil {
		return nil, err
	}
	real, err := DescriptorPath(fd, path)
	if err != nil {
		return nil, err
	}
	return &Dir{Root: r, File: fd, Real: real, dev: st.ID.Dev, ino: st.ID.Ino, Pseudo: isPseudo(fd)}, nil
}

// Reusable reports whether the directory that is open is still the one its
// path names.
func (d *Folder) Reusable() bool {
	o := d.Now()
	if o == nil {
		return false
	}
	return LeadsTo(d.path, ID{Dev: o.dev, Ino: o.ino})
}

// Renew opens the folder anew when another directory took its place, and
// reports whether it did. A place that moved (the path now leads elsewhere)
// is not followed: only a new gate may choose other folders.
func (d *Folder) Renew() bool {
	old := d.Now()
	if old == nil || d.Reusable() {
		return false
	}
	o, err := OpenDir(d.path)
	if err != nil || o.Real != old.Real {
		return false
	}
	return d.open.CompareAndSwap(old, o)
}
