package buffers

import (
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Source tells where a file's text came from.
type Source string

// The sources.
const (
	FromBuffer Source = "buffer" // an attached editor has it open
	FromDisk   Source = "disk"
)

// File is what one call sees of one path. Its fields do not change.
type File struct {
	Path   workspace.Path
	Source Source
	// Document is the open document; nil when the source is the disk.
	Document *Document
	// Dirty: the buffer is not its base (the disk text as of open, save or
	// reload). DiskChanged: the file is not its base. Both: diverged.
	Dirty, DiskChanged bool
	// Altered: the editor calls the text the file's, but it is not: it changed
	// the text when it opened or saved the file.
	Altered bool
	// DiskHash is the hash of the file under an open document; nil when there
	// is no such file.
	DiskHash *text.Hash
	// Content is the text; nil when Binary.
	Content Content
	// Hash is that of the bytes on disk, or that saving the buffer would
	// write. Where these are unknown it is that of the text in UTF-8.
	Hash text.Hash
	// Format is how the text stands in bytes. Unknown: the buffer's bytes
	// cannot be told. Detected: the encoding was guessed. Lossy: encoding the
	// text does not give the file's bytes.
	Format                   text.Format
	Unknown, Detected, Lossy bool
	// EOL is the style of line ends; FinalNewline reports whether the text ends
	// with one.
	EOL          text.EOL
	FinalNewline bool
	// NotebookOpen: the editor shows the file as a notebook. What it shows is
	// not known here: the text is the disk's.
	NotebookOpen bool
	// Unsynced: the editor shows the file in a tab, but keeps its text to
	// itself: the text is the disk's.
	Unsynced bool
	// Binary: the file holds no text. Only disk files are.
	Binary bool
	// Magic is the first bytes of a file on disk, at most 16, by which its
	// format is known. Empty when the source is a buffer.
	Magic string
	// SizeBytes is the file's length on disk, 0 when there is no file.
	SizeBytes int64
	// ID is the file's identity on disk; zero when there is no file.
	ID fsys.ID
	// Real is the file's real path; empty when there is no file.
	Real string

	handle *fsys.Handle
	disk   *diskText
}

// Diverged reports that buffer and file both changed since they were the same.
func (f *File) Diverged() bool { return f.Dirty && f.DiskChanged }

// OutOfSync says why the text may differ from the editor's; empty when it does
// not.
func (f *File) OutOfSync() string {
	if f.Document == nil {
		return ""
	}
	return f.Document.OutOfSync
}

// Err returns the first failure to read Content since the file was opened;
// that something was appended since is none. It must be asked after reading and before anything that was read is served.
func (f *File) Err() error {
	if f.disk == nil {
		return nil
	}
	return f.disk.failed()
}

// BeginsWith reports whether the file begins with size bytes of that hash:
// whether it is a text that was seen before, as it was or with something
// appended. A file on disk whose own hash is another is read for it.
func (f *File) BeginsWith(size int64, hash text.Hash) bool {
	return f.Hash == hash || f.handle != nil && stands(f.handle.File, size, hash)
}

// ReadRaw appends n bytes of the file on disk, from offset off, to dst; fewer
// where the file ends. It is for files that hold no text, of source
// [FromDisk].
func (f *File) ReadRaw(dst []byte, off int64, n int) ([]byte, error) {
	n = int(min(int64(n), max(0, f.SizeBytes-off)))
	start := len(dst)
	dst = append(dst, make([]byte, n)...)
	if err := readAt(f.handle.File, dst[start:], off); err != nil {
		return dst[:start], err
	}
	if !f.handle.Unchanged() && !stands(f.handle.File, f.SizeBytes, f.Hash) {
		return dst[:start], errChanged
	}
	return dst, nil
}
