//go:build linux || darwin

package catalog

import (
	"errors"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// readerState is what a [Reader] has open: a file, and the folder of the last
// one.
type readerState struct {
	file   fsys.PlainFile
	root   int
	folder string
	dir    fsys.DirHandle
	dev    uint64 // of dir
}

func (r *Reader) reset() { r.file, r.dir = fsys.NoFile, fsys.NoDir }

func (r *Reader) open(e *FileEntry) (fsys.ID, error) {
	r.closeFile()
	folder, name := folderOf(e.Rel)
	if err := r.enter(e.Root, folder); err != nil {
		return fsys.ID{}, err
	}
	f, id, err := r.dir.OpenPlainFile(name, r.dev)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			r.leave() // the folder may be another one by now
		}
		return fsys.ID{}, err
	}
	r.file = f
	return id, nil
}

// enter opens a folder, unless it is the one that is open.
func (r *Reader) enter(root int, folder string) error {
	if r.dir.IsOpen() && r.root == root && r.folder == folder {
		return nil
	}
	r.leave()
	dir := r.files.gate.RootAt(root).Dir
	for range 2 {
		o := dir.Now()
		if o == nil {
			break
		}
		d, err := o.OpenBelow(folder)
		if err == nil {
			var st fsys.Status
			if st, err = d.Status(); err == nil {
				r.dir, r.root, r.folder, r.dev = d, root, folder, st.ID.Dev
				return nil
			}
			d.Close()
		}
		if fault.KindOf(err) != fault.NotFound || !dir.Renew() {
			return err
		}
	}
	return &fs.PathError{Op: "open", Path: folder, Err: fs.ErrNotExist}
}

// ReadAt is [io.ReaderAt] over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) { return r.file.ReadAt(b, off) }

// NextHole returns where the first hole at or after off begins in the open
// file: a part that was never written and reads as zero bytes. It returns size,
// the file's, when there is none before, or the system does not tell.
func (r *Reader) NextHole(off, size int64) int64 { return r.file.NextHole(off, size) }

// State returns the state of the open file at this moment.
func (r *Reader) State() (fsys.ID, error) {
	id, err := r.file.State()
	if err != nil {
		return fsys.ID{}, r.explain(err)
	}
	return id, nil
}

// Close closes what is open. The reader can be used again.
func (r *Reader) Close() {
	r.closeFile()
	r.leave()
}

func (r *Reader) closeFile() {
	if r.file.IsOpen() {
		r.file.Close()
		r.file = fsys.NoFile
	}
}

func (r *Reader) leave() {
	if r.dir.IsOpen() {
		r.dir.Close()
		r.dir = fsys.NoDir
	}
}
