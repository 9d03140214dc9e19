package statedir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// KeptFolder is a private folder (mode 0700) of files that this program keeps
// for itself (mode 0600), outside of any workspace. Several processes may use
// one at a time. Names are single path elements. The zero value is not usable;
// see [OpenKeptFolder].
type KeptFolder struct {
	path   string
	Folder *fsys.Folder
}

// KeptFile is what a [KeptFolder] says of one of its files.
type KeptFile struct {
	Name     string
	Size     int64 // bytes
	Modified time.Time
}

// OpenKeptFolder opens the folder at an absolute path and makes what is
// missing of it. permission_denied is a folder that other people can write to.
func OpenKeptFolder(path string) (*KeptFolder, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.InvalidParams, "not an absolute path").At(path)
	}
	path = filepath.Clean(path)
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fault.From(err).At(path)
	}
	dir, err := fsys.OpenFolder(path)
	if err != nil {
		return nil, fault.From(err).At(path)
	}
	if err := dir.Now().MakePrivate(); err != nil {
		return nil, fault.From(err).At(path)
	}
	return &KeptFolder{path, dir}, nil
}

// Path returns the absolute path of the file name.
func (k *KeptFolder) Path(name string) string { return filepath.Join(k.path, name) }

// Root is the folder as it is open now.
func (k *KeptFolder) Root() *os.Root {
	if !k.Folder.Reusable() { // somebody emptied the cache
		_ = os.MkdirAll(k.path, 0o700)
		k.Folder.Renew()
	}
	return k.Folder.Now().Root
}

// Create makes a new file and holds it as being written until it is closed:
// [KeptFolder.Remove] leaves it alone for so long. The error is already_exists
// when there is one of that name.
func (k *KeptFolder) Create(name string) (*os.File, error) {
	if err := checkKeptName(name); err != nil {
		return nil, err
	}
	f, err := k.Root().OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fault.From(err).At(name)
	}
	// A file of no bytes and this age is what nobody removes; the lock is for
	// when it has grown.
	if _, err := fsys.LockFile(f, false); err != nil {
		f.Close()
		return nil, fault.From(err).At(name)
	}
	return f, nil
}

// Resume opens a file to read it and to add to it, and holds it as
// [KeptFolder.Create] does. free is false, and nothing is open, where another
// process holds it.
func (k *KeptFolder) Resume(name string) (f *os.File, free bool, err error) {
	if err := checkKeptName(name); err != nil {
		return nil, false, err
	}
	f, err = k.Root().OpenFile(name, os.O_RDWR|os.O_APPEND|fsys.OpenFileFlags, 0)
	if err != nil {
		return nil, false, fault.From(err).At(name)
	}
	if free, err = fsys.LockFile(f, false); err != nil || !free {
		f.Close()
		return nil, false, fromSystem(err, name)
	}
	return f, true, nil
}

// Forget removes a file that the caller itself holds.
func (k *KeptFolder) Forget(name string) {
	if checkKeptName(name) == nil {
		_ = k.Root().Remove(name) // what is left takes room, no more
	}
}

// Files lists the folder's regular files, in no order.
func (k *KeptFolder) Files() ([]KeptFile, error) {
	d, err := k.Root().OpenFile(".", fsys.OpenDirFlags, 0)
	if err != nil {
		return nil, fault.From(err).At(k.path)
	}
	defer d.Close()
	entries, err := d.ReadDir(maxKeptFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fault.From(err).At(k.path)
	}
	files := make([]KeptFile, 0, len(entries))
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() {
			files = append(files, KeptFile{e.Name(), info.Size(), info.ModTime()})
		}
	}
	return files, nil
}

// maxKeptFiles bounds how many files one listing looks at; who removes some
// sees the others the next time.
const maxKeptFiles = 100_000

// Remove removes the file name unless a process has it open for writing by
// [KeptFolder.Create]. It reports whether the file is gone.
func (k *KeptFolder) Remove(name string) bool {
	if checkKeptName(name) != nil {
		return false
	}
	r := k.Root()
	f, err := r.OpenFile(name, fsys.OpenLockFlags, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	locked, _ := fsys.LockFile(f, false)
	if locked {
		err = r.Remove(name)
	}
	f.Close()
	return locked && err == nil
}

// Update replaces what the small file name holds by what change makes of it;
// old is nil when there is none. Of several processes that do so one after the
// other has its turn. The file is whole at any time: old or new.
func (k *KeptFolder) Update(name string, change func(old []byte) ([]byte, error)) error {
	if err := checkKeptName(name); err != nil {
		return err
	}
	r := k.Root()
	lock, err := r.OpenFile(name+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fault.From(err).At(name)
	}
	defer lock.Close()
	if _, err := fsys.LockFile(lock, true); err != nil {
		return fault.From(err).At(name)
	}
	old, err := k.Read(name)
	if err != nil {
		return err
	}
	fresh, err := change(old)
	if err != nil {
		return err
	}
	temp := name + ".new" // the lock makes it ours, and a leftover is overwritten
	if err := r.WriteFile(temp, fresh, 0o600); err != nil {
		return fault.From(err).At(name)
	}
	return fromSystem(r.Rename(temp, name), name)
}

// maxKeptBytes bounds what [KeptFolder.Read] returns.
const maxKeptBytes = 1 << 20

// Read returns what the small file name holds; nil when there is none.
// file_too_large is one of over 1 MiB.
func (k *KeptFolder) Read(name string) ([]byte, error) {
	f, err := k.Root().OpenFile(name, fsys.OpenFileFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.From(err).At(name)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxKeptBytes+1))
	if len(raw) > maxKeptBytes {
		return nil, fault.New(fault.FileTooLarge, "kept files of this kind are at most %d bytes", maxKeptBytes).At(name)
	}
	return raw, fromSystem(err, name)
}

func fromSystem(err error, name string) error {
	if err == nil {
		return nil
	}
	return fault.From(err).At(name)
}

func checkKeptName(name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\:\x00") || len(name) > 200 {
		return fault.New(fault.InvalidParams, "%q is no name for a kept file", name)
	}
	return nil
}
