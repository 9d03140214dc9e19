package catalog

import (
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// readerState is what a [Reader] has open.
type readerState struct{ handle *fsys.Handle }

func (r *Reader) reset() {}

func (r *Reader) open(e *FileEntry) (fsys.ID, error) {
	r.Close()
	h, err := r.files.gate.Open(r.files.gate.Path(filepath.Join(r.files.gate.RootAt(e.Root).Path, filepath.FromSlash(e.Rel))))
	if err != nil {
		return fsys.ID{}, err
	}
	r.handle = h
	return h.ID, nil
}

// ReadAt is io.ReaderAt over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (int, error) { return r.handle.File.ReadAt(b, off) }

// NextHole returns size: the system does not tell where holes are.
func (r *Reader) NextHole(_, size int64) int64 { return size }

// State returns the state of the open file at this moment.
func (r *Reader) State() (fsys.ID, error) {
	st, err := fsys.StatFile(r.handle.File)
	return st.ID, err
}

// Close closes what is open.
func (r *Reader) Close() {
	if r.handle != nil {
		r.handle.Close()
		r.handle = nil
	}
}
