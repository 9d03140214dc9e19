package workspace

import "path/filepath"

// readerState is what a [Reader] has open.
type readerState struct{ handle *Handle }

func (r *Reader) reset() {}

func (r *Reader) open(e *FileEntry) (ID, error) {
	r.Close()
	h, err := r.files.gate.Open(r.files.gate.path(filepath.Join(r.files.gate.rootAt(e.Root).Path, filepath.FromSlash(e.Rel))))
	if err != nil {
		return ID{}, err
	}
	r.handle = h
	return h.ID, nil
}

// ReadAt is io.ReaderAt over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (int, error) { return r.handle.File.ReadAt(b, off) }

// NextHole returns size: the system does not tell where holes are.
func (r *Reader) NextHole(_, size int64) int64 { return size }

// State returns the state of the open file at this moment.
func (r *Reader) State() (ID, error) {
	st, err := identify(r.handle.File)
	return st.id, err
}

// Close closes what is open.
func (r *Reader) Close() {
	if r.handle != nil {
		r.handle.Close()
		r.handle = nil
	}
}
