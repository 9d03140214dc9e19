//go:build linux || darwin

package workspace

import (
	"io"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// readerState is what a [Reader] has open: a file, and the folder of the last
// one. A descriptor that is not open is -1.
type readerState struct {
	fd     int
	root   int
	folder string
	dir    dirHandle
	dev    uint64 // of dir
}

func (r *Reader) reset() { r.fd, r.dir = -1, dirHandle{-1} }

const readerFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NOCTTY

func (r *Reader) open(e *FileEntry) (ID, error) {
	r.closeFile()
	folder, name := folderOf(e.Rel)
	if err := r.enter(e.Root, folder); err != nil {
		return ID{}, err
	}
	fd, err := r.openName(name)
	for waits := 0; err == unix.EAGAIN && waits < maxLeaseWaits; waits++ {
		time.Sleep(leaseWait)
		fd, err = r.openName(name)
	}
	if err != nil {
		if err == unix.ENOENT {
			r.leave() // the folder may be another one by now
		}
		return ID{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	r.fd = fd
	id, err := r.checked(name)
	if err != nil {
		r.closeFile()
	}
	return id, err
}

// openName opens a name in the reader's folder.
func (r *Reader) openName(name string) (fd int, err error) {
	for {
		fd, err = unix.Openat(r.dir.fd, name, readerFlags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// checked returns the state of the open file if it may be read.
func (r *Reader) checked(name string) (ID, error) {
	var st unix.Stat_t
	if err := retryInterrupted(func() error { return unix.Fstat(r.fd, &st) }); err != nil {
		return ID{}, &fs.PathError{Op: "fstat", Path: name, Err: err}
	}
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return ID{}, unix.EISDIR
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return ID{}, errNotAFile
	case uint64(st.Dev) != r.dev:
		if pseudo, _ := (dirHandle{r.fd}).system(); pseudo {
			return ID{}, errNotAFile
		}
	}
	return idFrom(&st), nil
}

// enter opens a folder, unless it is the one that is open.
func (r *Reader) enter(root int, folder string) error {
	if r.dir.fd >= 0 && r.root == root && r.folder == folder {
		return nil
	}
	r.leave()
	dir := r.files.gate.rootAt(root).dir
	for range 2 {
		o := dir.now.Load()
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

// ReadAt is io.ReaderAt over the file that is open.
func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		m, err := unix.Pread(r.fd, b[n:], off+int64(n))
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: r.folder, Err: err}
		case m == 0:
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// NextHole returns where the first hole at or after off begins in the open
// file: a part that was never written and reads as zero bytes. It returns size,
// the file's, when there is none before, or the system does not tell.
func (r *Reader) NextHole(off, size int64) int64 {
	at, err := unix.Seek(r.fd, off, unix.SEEK_HOLE) // what is read is read by pread, which has no place
	if err != nil {
		return size
	}
	return min(at, size)
}

// State returns the state of the open file at this moment.
func (r *Reader) State() (ID, error) {
	st, err := (dirHandle{r.fd}).status()
	if err != nil {
		return ID{}, r.explain(err)
	}
	return st.id, nil
}

// Close closes what is open. The reader can be used again.
func (r *Reader) Close() {
	r.closeFile()
	r.leave()
}

func (r *Reader) closeFile() {
	if r.fd >= 0 {
		unix.Close(r.fd)
		r.fd = -1
	}
}

func (r *Reader) leave() {
	if r.dir.fd >= 0 {
		r.dir.close()
		r.dir.fd = -1
	}
}
