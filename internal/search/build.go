package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// builder collects a segment: the grams of files, which are added in order of
// their paths.
type builder struct {
	now      func() time.Time
	postings *postings

	files     []builtFile
	paths     []byte
	starts    []uint32 // by block: where it begins in its file's text
	lines     []uint32 // by block: its first line
	textBytes int64

	block   blockCutter
	window  []byte // what was read of a file
	decoded []byte
}

type builtFile struct {
	id         fsys.ID
	pathEnd    uint32
	firstBlock uint32
	kind       kind
}

const (
	// windowBytes is how much of a file is held at once. Larger files are read
	// piece by piece.
	windowBytes = 1 << 20
	// sniffBytes is how much of a file its kind is told from.
	sniffBytes = 8 << 10
	// maxGuessed is the size up to which an encoding is guessed from the whole
	// file, by whoever reads it: all will guess the same.
	maxGuessed = 256 << 10
	// maxDecoded bounds files whose text is made in memory to be indexed.
	maxDecoded = 16 << 20
)

func newBuilder(now func() time.Time) *builder {
	return &builder{now: now, postings: newPostings(), window: make([]byte, windowBytes)}
}

// reset forgets what was collected and keeps its memory.
func (b *builder) reset() {
	b.postings.reset()
	b.files, b.paths, b.starts, b.lines, b.textBytes = b.files[:0], b.paths[:0], b.starts[:0], b.lines[:0], 0
}

// outcome tells what became of a file that was to be indexed.
type outcome int

const (
	indexed  outcome = iota
	notFinal         // it changed just now: a change that follows may leave no trace
	unusable         // it cannot be read, or is in another state than the list says
)

// add indexes the i-th file of a list, which r reads, if it is still in the
// state that the list says.
func (b *builder) add(ctx context.Context, r *catalog.Reader, e *catalog.FileEntry, i int) outcome {
	began := b.now()
	id, err := r.Open(i)
	if err != nil || id != e.ID {
		return unusable
	}
	if !isFinal(id, began) {
		return notFinal
	}
	b.begin(e.Rel, id)
	k, err := b.read(ctx, r, id.Size)
	if err == nil {
		id, err = r.State()
	}
	if err != nil || id != e.ID {
		b.end(deadFile)
		return unusable
	}
	b.end(k)
	return indexed
}

// isFinal reports whether a write to the file at or after the moment now is sure
// to change its times: a file system counts time in ticks, and within one tick
// two writes leave the same times.
func isFinal(id fsys.ID, now time.Time) bool {
	tick := 20 * time.Millisecond
	if id.Mtime%int64(time.Second) == 0 && id.Ctime%int64(time.Second) == 0 {
		tick = 2 * time.Second // a file system that counts whole seconds
	}
	age := now.Sub(time.Unix(0, max(id.Mtime, id.Ctime)))
	return age > tick || age < -tick
}

func (b *builder) begin(rel string, id fsys.ID) {
	b.paths = append(b.paths, rel...)
	b.files = append(b.files, builtFile{id: id, pathEnd: uint32(len(b.paths)), firstBlock: uint32(len(b.starts))})
}

func (b *builder) end(k kind) {
	f := &b.files[len(b.files)-1]
	f.kind = k
	if k == deadFile {
		f.id = fsys.ID{}
	}
	b.textBytes += f.id.Size
}

// read indexes the open file.
func (b *builder) read(ctx context.Context, r io.ReaderAt, size int64) (kind, error) {
	head := b.window[:min(size, windowBytes)]
	if err := readWhole(r, head, 0); err != nil {
		return opaque, err
	}
	start := head[:min(len(head), sniffBytes)]
	if text.IsBinary(start) {
		return binary_, nil
	}
	if size > usualSizes.most {
		return opaque, nil // searches leave it out, and say so
	}
	format := text.Sniff(start, "")
	switch {
	case !format.Assumed:
		return b.readDecoded(r, size, format.Format)
	case int64(len(head)) < size:
		return b.readLong(ctx, r, size)
	case utf8.Valid(head):
		b.addText(head)
		return plain, nil
	case size <= maxGuessed:
		return b.readDecoded(r, size, text.Format{Encoding: text.Detect(head)})
	}
	return opaque, nil
}

var errShrunk = errors.New("the file became shorter while it was read")

func readWhole(r io.ReaderAt, b []byte, off int64) error {
	if n, err := r.ReadAt(b, off); n < len(b) {
		if err == io.EOF {
			return errShrunk
		}
		return err
	}
	return nil
}

// readDecoded indexes the text of a file that is not plain UTF-8.
func (b *builder) readDecoded(r io.ReaderAt, size int64, f text.Format) (kind, error) {
	if size > maxDecoded {
		return opaque, nil
	}
	raw := b.window
	if size > windowBytes {
		raw = make([]byte, size)
	}
	raw = raw[:size]
	if err := readWhole(r, raw, 0); err != nil {
		return opaque, err
	}
	b.decoded, _, _ = f.NewDecoder().Append(b.decoded[:0], raw[f.BOMLen():], true)
	b.addText(b.decoded)
	if cap(b.decoded) > 4*windowBytes {
		b.decoded = nil
	}
	return decoded, nil
}

// readLong indexes a file window by window, as long as it is UTF-8.
func (b *builder) readLong(ctx context.Context, r io.ReaderAt, size int64) (kind, error) {
	b.block.begin()
	kept, valid := 0, 0 // bytes in the window that are not indexed yet; of those, checked
	for off := int64(0); off < size; {
		if ctx.Err() != nil {
			return opaque, fault.From(ctx.Err())
		}
		data := b.window[:min(int64(windowBytes), int64(kept)+size-off)]
		if err := readWhole(r, data[kept:], off); err != nil {
			return opaque, err
		}
		off += int64(len(data) - kept)
		last := off == size
		whole := len(data)
		if !last {
			whole -= text.CutOff(data[valid:])
		}
		if !utf8.Valid(data[valid:whole]) || size > usualSizes.whole && bytes.IndexByte(data[valid:], 0) >= 0 {
			return opaque, nil // with a zero byte it is left out as it is without an index
		}
		used := b.cut(data[:whole], last)
		kept = copy(b.window, data[used:])
		valid = whole - used
	}
	return plain, nil
}
