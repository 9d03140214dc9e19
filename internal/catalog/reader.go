package catalog

import (
	"errors"
	"io"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Reader reads files of a list one after the other, fastest in the order of
// the list. It belongs to one goroutine, which closes it. At any time at most
// one file is open.
//
// It reads what stands at a file's place now, if that is a regular file
// reached by no link; of a folder that is replaced while several of its files
// are read, the files may still be the old one's. What policy says was
// decided when the list was made.
type Reader struct {
	files *Files
	now   int // index of the open file
	readerState
}

// NewReader returns a reader of f's files.
func (f *Files) NewReader() *Reader {
	r := &Reader{files: f}
	r.reset()
	return r
}

// Open makes the i-th file the one to read, closes the one before, and
// returns its state now.
//
// Errors are *fault.Error values that name the file: not_found (also when a
// part of its path is a link now), not_a_file, is_directory,
// permission_denied, io_error.
func (r *Reader) Open(i int) (fsys.ID, error) {
	r.now = i
	id, err := r.open(&r.files.List[i])
	if err != nil {
		return fsys.ID{}, r.explain(err)
	}
	return id, nil
}

// explain makes what a caller is told of an error about the file.
func (r *Reader) explain(err error) error {
	shown := r.files.Path(r.now).Rel
	e := fault.From(err).At(shown)
	switch {
	case fsys.IsNotFolder(err), e.Kind == fault.NotFound:
		return fault.New(fault.NotFound, "the file is not there any more").At(shown).Advise("list again")
	case fsys.IsNoDevice(err):
		return fsys.ErrNotAFile.At(shown)
	case e.Kind == fault.PermissionDenied:
		return fault.New(fault.PermissionDenied, "the system's file permissions forbid it").At(shown).
			Advise("the person can change them").With("rule", "file permissions")
	}
	return e
}

// ReadAll reads the open file from its beginning into buf, which it makes
// larger if need be, and returns what it read: at most limit bytes, and
// whole reports whether that is the file to its end.
//
// id is the state that Open returned. The error is stale_file if the file is
// in another state after reading, so that what was read may be no version of
// it, and otherwise as Open's.
func (r *Reader) ReadAll(buf []byte, id fsys.ID, limit int64) (text []byte, whole bool, err error) {
	size := min(id.Size, limit)
	buf = buf[:0]
	if int64(cap(buf)) <= size {
		buf = make([]byte, 0, size+1) // one more, to see the end
	}
	for int64(len(buf)) < limit {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		room := buf[len(buf):min(int64(cap(buf)), limit)]
		n, err := r.ReadAt(room, int64(len(buf)))
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return buf, false, r.explain(err)
		}
	}
	now, err := r.State()
	switch {
	case err != nil:
		return buf, false, err
	case now != id:
		return buf, false, fault.New(fault.StaleFile, "the file changed while it was read").At(r.files.Path(r.now).Rel).
			Advise("read it again")
	}
	return buf, int64(len(buf)) == id.Size, nil
}

// folderOf returns the folder of a file, "" at the top, and its name there.
func folderOf(rel string) (folder, name string) {
	if i := strings.LastIndexByte(rel, '/'); i >= 0 {
		return rel[:i], rel[i+1:]
	}
	return "", rel
}
