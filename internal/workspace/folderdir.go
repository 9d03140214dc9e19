package workspace

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// folderDir opens a folder's directory, and opens it anew when the folder was
// removed and made again at the same place.
type folderDir struct {
	path string
	open atomic.Pointer[openDir] // nil while the folder does not exist
}

// now returns the directory that is open; nil while the folder does not exist.
func (d *folderDir) now() *openDir { return d.open.Load() }

// openDir is an open directory. It is never closed by hand: operations of
// dropped gates may still use it.
type openDir struct {
	root   *os.Root
	fd     *os.File // the same directory, for calls that os.Root does not have
	real   string   // its absolute path without links when it was opened
	dev    uint64
	ino    uint64
	pseudo bool // on /proc or its like, where nothing is a file

	keep sync.Once
	kept any // see memo
}

// memo returns what the first call's make returned: a package above keeps there
// what it knows of the directory, for as long as this one is open.
func (o *openDir) memo(make func() any) any {
	o.keep.Do(func() { o.kept = make() })
	return o.kept
}

func newFolderDir(path string) (*folderDir, error) {
	d := &folderDir{path: path}
	o, err := openFolder(path)
	if err != nil {
		return d, err
	}
	d.open.Store(o)
	return d, nil
}

// openFolder opens a directory by its path. Links in the path are followed:
// the person who chose the folder chose them.
func openFolder(path string) (*openDir, error) {
	// os.OpenRoot would block on a FIFO.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fault.New(fault.NotDirectory, "not a folder")
	}
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	fd, err := r.OpenFile(".", openDirFlags, 0)
	if err != nil {
		return nil, err
	}
	st, err := identify(fd)
	if err != nil {
		return nil, err
	}
	real, err := descriptorPath(fd, path)
	if err != nil {
		return nil, err
	}
	return &openDir{root: r, fd: fd, real: real, dev: st.id.Dev, ino: st.id.Ino, pseudo: isPseudo(fd)}, nil
}

// reusable tells whether the directory that is open is still the one its
// path names.
func (d *folderDir) reusable() bool {
	o := d.now()
	if o == nil {
		return false
	}
	return names(d.path, ID{Dev: o.dev, Ino: o.ino})
}

// renew opens the folder anew when another directory took its place, and
// reports whether it did. A place that moved (the path now leads elsewhere)
// is not followed: only a new gate may choose other folders.
func (d *folderDir) renew() bool {
	old := d.now()
	if old == nil || d.reusable() {
		return false
	}
	o, err := openFolder(d.path)
	if err != nil || o.real != old.real {
		return false
	}
	return d.open.CompareAndSwap(old, o)
}
