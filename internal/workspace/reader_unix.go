//go:build linux || darwin

package workspace

import (
	"errors"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// readerState is what a [Reader] has open: a file, and the folder of the last
// one.
type readerState struct {
	file   plainFile
	root   int
	folder string
	dir    dirHandle
	dev    uint64 // of dir
}

func (r *Reader) reset() { r.file, r.dir = noFile, noDir }

func (r *Reader) open(e *FileEntry) (ID, error) {
	r.closeFile()
	folder, name := folderOf(e.Rel)
	if err := r.enter(e.Root, folder); err != nil {
		return ID{}, err
	}
	f, id, err := r.dir.openPlainFile(name, r.dev)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			r.leave() // the folder may be another one by now
		}
		return ID{}, err
	}
	r.file = f
	return id, nil
}

// enter opens a folder, unless it is the one that is open.
func (r *Reader) enter(root int, folder string) error {
	if r.dir.isOpen() && r.root == root && r.folder == folder {
		return nil
	}
	r.leave()
	dir := r.files.gate.rootAt(root).dir
	for range 2 {
		o := dir.now()
		if o == nil {
			break
		}
		d, err := o.openFolderAt(folder)
		if err == nil {
			var st status
			if st, err = d.status(); err == nil {
				r.dir, r.root, r.folder, r.dev = d, root, folder, st.id.Dev
				return nil
			}
			d.close()
		}
		if fault.KindOf(err) != fault.NotFound || !dir.renew() {
			return err
		}
	}
	return &fs.PathError{Op: "open", Path: folder, Err: fs.ErrNotExist}
}

// ReadAt is [io.ReaderAt] over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) { return r.file.readAt(b, off) }

// NextHole returns where the first hole at or after off begins in the open
// file: a part that was never written and reads as zero bytes. It returns size,
// the file's, when there is none before, or the system does not tell.
func (r *Reader) NextHole(off, size int64) int64 { return r.file.nextHole(off, size) }

// State returns the state of the open file at this moment.
func (r *Reader) State() (ID, error) {
	id, err := r.file.state()
	if err != nil {
		return ID{}, r.explain(err)
	}
	return id, nil
}

// Close closes what is open. The reader can be used again.
func (r *Reader) Close() {
	r.closeFile()
	r.leave()
}

func (r *Reader) closeFile() {
	if r.file.isOpen() {
		r.file.close()
		r.file = noFile
	}
}

func (r *Reader) leave() {
	if r.dir.isOpen() {
		r.dir.close()
		r.dir = noDir
	}
}
