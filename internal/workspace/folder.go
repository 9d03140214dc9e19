package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Folder is a workspace folder as the editor or the command line names it.
type Folder struct {
	Name string // shown before paths when there are several; the path's last element when empty
	Path string // absolute
	// Within is a folder around Path, absolute: what is in it may be named too,
	// by its absolute path or with "..", but is neither listed nor searched unless
	// it is. "" for none.
	Within string
}

// root is one folder of a gate. Its open directory is shared by all gates
// that have the folder, and closed by the garbage collector after the last.
type root struct {
	Folder
	// prefix starts the shown form of every path below; "" shows paths
	// relative to the folder alone.
	prefix   string
	above    []string // where its paths begin, as rules see it: as given and, where that differs, without links
	showAbs  bool     // paths below are shown as absolute ones
	readOnly bool     // a further place to read, not a workspace folder
	dir      *folderDir
	around   []aroundRoot

	// Of a narrowed gate: the folder of the whole one whose rules hold here,
	// where in that this one lies, with slashes, and how a path begins that is
	// given below the view, "child/". See [Gate.Narrow].
	of   *root
	at   string
	base string
}

// aroundRoot is another folder of the gate that a folder lies in, and where.
type aroundRoot struct {
	root *root
	rel  string // with slashes
}

// folderDir opens a folder's directory, and opens it anew when the folder was
// removed and made again at the same place.
type folderDir struct {
	path string
	now  atomic.Pointer[openDir] // nil while the folder does not exist
}

// openDir is an open directory. It is never closed by hand: operations of
// dropped gates may still use it.
type openDir struct {
	root   *os.Root
	fd     *os.File // the same directory, for calls that os.Root does not have
	real   string   // its absolute path without links when it was opened
	dev    uint64
	ino    uint64
	pseudo bool // on /proc or its like, where nothing is a file
	agents *agentCache
}

func newFolderDir(path string) (*folderDir, error) {
	d := &folderDir{path: path}
	o, err := openFolder(path)
	if err != nil {
		return d, err
	}
	d.now.Store(o)
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
	return &openDir{root: r, fd: fd, real: real, dev: st.id.Dev, ino: st.id.Ino, pseudo: isPseudo(fd), agents: new(agentCache)}, nil
}

// reusable tells whether the directory that is open is still the one its
// path names.
func (d *folderDir) reusable() bool {
	o := d.now.Load()
	if o == nil {
		return false
	}
	return names(d.path, ID{Dev: o.dev, Ino: o.ino})
}

// renew opens the folder anew when another directory took its place, and
// reports whether it did. A place that moved (the path now leads elsewhere)
// is not followed: only a new gate may choose other folders.
func (d *folderDir) renew() bool {
	old := d.now.Load()
	if old == nil || d.reusable() {
		return false
	}
	o, err := openFolder(d.path)
	if err != nil || o.real != old.real {
		return false
	}
	return d.now.CompareAndSwap(old, o)
}

// folderName gives the name to show for a folder: one path element, whatever
// the editor calls it.
func folderName(f Folder) string {
	base := filepath.Base(f.Path)
	name := f.Name
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\n") {
		name = base
	}
	if name == string(filepath.Separator) {
		return "root"
	}
	return name
}

// below returns path's place below dir in slash or system form as given, "."
// for dir itself. Both are clean absolute paths.
func below(dir, path string) (rel string, ok bool) {
	rest, ok := strings.CutPrefix(path, dir)
	switch {
	case !ok:
		return "", false
	case rest == "":
		return ".", true
	case os.IsPathSeparator(dir[len(dir)-1]): // dir is "/" or a drive
		return rest, true
	case os.IsPathSeparator(rest[0]):
		return rest[1:], true
	}
	return "", false
}

// isEscape tells os.Root's refusal to leave its directory, which it does not
// export, from the errors of the system, all of which carry an error number.
func isEscape(err error) bool {
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return false
	}
	_, system := errors.AsType[syscall.Errno](pe.Err)
	return !system && !errors.Is(pe.Err, fs.ErrClosed) && !errors.Is(pe.Err, fs.ErrInvalid)
}
