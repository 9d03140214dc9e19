package statedir

import (
	"bufio"
	"context"
	"crypto/rand"
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

// CacheFolder is a folder of this program's own, outside of all workspaces,
// for files that can be made anew at any time. Nobody else may read it. Its
// methods may be called from several goroutines and, for one folder, from
// several processes; who writes or removes holds the folder's lock.
type CacheFolder struct {
	root   *os.Root
	before func(step string) error // see FailBefore; may be nil
}

const (
	cacheLock    = "lock"    // the file that the lock is on
	cacheTemp    = "tmp-"    // begins the names of files that are being written
	cacheFolders = 0o700     // mode of folders
	cacheFiles   = 0o600     // mode of files
	cacheBuffer  = 256 << 10 // of a file that is being written
	lockRetry    = time.Second / 20
)

// OpenCacheFolder opens the folder at an absolute path, and makes it, with the
// folders above, when there is none.
//
// Errors: invalid_params for another path, not_directory, permission_denied,
// disk_full, io_error.
func OpenCacheFolder(path string) (*CacheFolder, error) {
	if !filepath.IsAbs(path) || fsys.CheckPath(path) != nil {
		return nil, fault.New(fault.InvalidParams, "not an absolute path").At(path)
	}
	if err := os.MkdirAll(path, cacheFolders); err != nil {
		return nil, cacheFault(err)
	}
	root, err := fsys.OpenRoot(path)
	if err != nil {
		return nil, cacheFault(err)
	}
	return &CacheFolder{root: root}, nil
}

// Close closes the folder. Files that were opened in it stay open.
func (c *CacheFolder) Close() { c.root.Close() }

// Path returns the path by which the folder was opened.
func (c *CacheFolder) Path() string { return c.root.Name() }

// Folder opens the folder of that name within c, and makes it when there is
// none.
func (c *CacheFolder) Folder(name string) (*CacheFolder, error) {
	if err := c.step("mkdir"); err != nil {
		return nil, err
	}
	if err := c.root.Mkdir(name, cacheFolders); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, cacheFault(err)
	}
	root, err := c.root.OpenRoot(name)
	if err != nil {
		return nil, cacheFault(err)
	}
	return &CacheFolder{root: root, before: c.before}, nil
}

// List returns the names of the whole files in the folder, in order.
func (c *CacheFolder) List() ([]string, error) {
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return nil, cacheFault(err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && e.Name() != cacheLock && !strings.HasPrefix(e.Name(), cacheTemp) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// CacheFile is a whole file of a [CacheFolder], open for reading by position.
// It can be read until it is closed, even when it is removed meanwhile; but
// what it holds may be damaged by others at any moment.
type CacheFile struct {
	file *os.File
	size int64
}

// Open opens a file. Errors: not_found, permission_denied, not_a_file, io_error.
func (c *CacheFolder) Open(name string) (*CacheFile, error) {
	f, err := c.root.OpenFile(name, fsys.OpenFileFlags, 0)
	if err != nil {
		return nil, cacheFault(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fsys.ErrNotAFile
	}
	if err != nil {
		f.Close()
		return nil, cacheFault(err)
	}
	return &CacheFile{f, info.Size()}, nil
}

// Size returns the length of the file, in bytes, when it was opened.
func (f *CacheFile) Size() int64 { return f.size }

// ReadAt implements [io.ReaderAt].
func (f *CacheFile) ReadAt(b []byte, off int64) (int, error) { return f.file.ReadAt(b, off) }

// Close closes the file.
func (f *CacheFile) Close() { f.file.Close() }

// Write makes a file, or replaces one, by what write writes. Readers see the
// old file or the whole new one, also after a crash. On an error nothing has
// changed, and nothing is left behind.
//
// Errors: write's own, disk_full, permission_denied, io_error.
func (c *CacheFolder) Write(name string, write func(io.Writer) error) error {
	temp := cacheTemp + rand.Text()
	err := c.writeTemp(temp, write)
	if err == nil {
		err = c.step("rename")
	}
	if err == nil {
		err = c.root.Rename(temp, name)
	}
	if err != nil {
		return cacheFault(errors.Join(err, c.forget(temp)))
	}
	return nil
}

// forget removes a file that may not be there.
func (c *CacheFolder) forget(name string) error {
	if err := c.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeTemp writes a file that is on the medium when it returns.
func (c *CacheFolder) writeTemp(name string, write func(io.Writer) error) error {
	if err := c.step("create"); err != nil {
		return err
	}
	f, err := c.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cacheFiles)
	if err != nil {
		return err
	}
	err = c.fill(f, write)
	return errors.Join(err, f.Close())
}

func (c *CacheFolder) fill(f *os.File, write func(io.Writer) error) error {
	buf := bufio.NewWriterSize(&steppedWriter{c, f}, cacheBuffer)
	if err := write(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := c.step("sync"); err != nil {
		return err
	}
	return f.Sync()
}

type steppedWriter struct {
	folder *CacheFolder
	file   *os.File
}

func (w *steppedWriter) Write(b []byte) (int, error) {
	if err := w.folder.step("write"); err != nil {
		return 0, err
	}
	return w.file.Write(b)
}

// FailBefore has before called ahead of each step that changes the folder
// ("mkdir", "create", "write", "sync", "rename", "remove", "lock"); an error
// stands for that step's. It is for tests and comes before all other calls.
func (c *CacheFolder) FailBefore(before func(step string) error) { c.before = before }

func (c *CacheFolder) step(name string) error {
	if c.before == nil {
		return nil
	}
	return c.before(name)
}

// Remove removes a file; one that is not there is no error.
func (c *CacheFolder) Remove(name string) error {
	if err := c.step("remove"); err != nil {
		return err
	}
	if err := c.forget(name); err != nil {
		return cacheFault(err)
	}
	return nil
}

// Lock waits for the folder's lock, which one holder of all processes has. A
// process that dies lets go of it. Files that a dead writer left are removed.
// unlock must be called.
//
// Errors: timeout or cancelled when ctx ends, disk_full, permission_denied,
// io_error.
func (c *CacheFolder) Lock(ctx context.Context) (unlock func(), err error) {
	wait := time.NewTicker(lockRetry)
	defer wait.Stop()
	for {
		unlock, ok, err := c.TryLock()
		if ok || err != nil {
			return unlock, err
		}
		select {
		case <-wait.C:
		case <-ctx.Done():
			return nil, fault.From(ctx.Err())
		}
	}
}

// TryLock takes the lock if nobody has it, as [CacheFolder.Lock] does.
func (c *CacheFolder) TryLock() (unlock func(), ok bool, err error) {
	if err := c.step("lock"); err != nil {
		return nil, false, cacheFault(err)
	}
	f, err := c.root.OpenFile(cacheLock, os.O_RDWR|os.O_CREATE, cacheFiles)
	if err != nil {
		return nil, false, cacheFault(err)
	}
	if ok, err := fsys.LockFile(f, false); !ok || err != nil {
		f.Close()
		return nil, false, cacheFault(err)
	}
	c.sweep()
	return func() { f.Close() }, true, nil
}

// sweep removes what writers that died have left. Who holds the lock is the
// only writer.
func (c *CacheFolder) sweep() {
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), cacheTemp) {
			_ = c.forget(e.Name()) // what is left takes room, no more
		}
	}
}

// cacheFault makes an *fault.Error of err, which may be nil.
func cacheFault(err error) error {
	if err == nil {
		return nil
	}
	return fault.From(err)
}
