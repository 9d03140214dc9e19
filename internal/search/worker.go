package search

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// sizes say in which parts texts are searched, in bytes.
type sizes struct {
	// whole is the largest file that is read as a whole.
	whole int64
	// piece is how much of a larger text is searched at a time, and part how
	// much of a document by one of several goroutines.
	piece, part int
	// longest is how long a line may be in a text that is searched in pieces.
	longest int
	// most is the largest file that is searched without being named.
	most int64
}

var usualSizes = sizes{whole: 4 << 20, piece: 256 << 10, part: 1 << 20, longest: maxMultiline, most: 256 << 20}

const (
	// maxMultiline is the largest text in which matches may reach over lines,
	// and about the longest line that is searched.
	maxMultiline = 64 << 20
	// maxFileTries is how often a file is read that changes meanwhile.
	maxFileTries = 3
)

// worker searches one unit after the other. It belongs to one goroutine at a
// time.
type worker struct {
	hunt   *hunt
	reader *catalog.Reader
	snap   *buffers.Snapshot // for what is no plain file; nil until needed
	buf    []byte
	scan   scan
}

func newWorker(r *hunt) *worker {
	return &worker{hunt: r, reader: r.scope.files.NewReader()}
}

func (w *worker) close() {
	w.reader.Close()
	if w.snap != nil {
		w.snap.Close()
	}
}

// unit searches a file or document.
func (w *worker) unit(ctx context.Context, u *unit) (FileHits, error) {
	limit := w.hunt.request.Max + 1
	switch w.hunt.request.Unit {
	case Files:
		limit = 1
	case Counts:
		limit = 0
	}
	w.scan = scan{matcher: w.hunt.request.Matcher, after: u.after, keep: limit, ends: w.hunt.request.Unit != Counts, last: w.hunt.request.Last, fold: w.scan.fold}
	if u.doc != nil {
		if err := w.pieces(ctx, u.doc.Text); err != nil {
			return FileHits{}, fault.From(err).At(u.doc.path.Rel)
		}
		return w.hits(FileHits{Path: u.doc.path, Document: u.doc.Document}), nil
	}
	if u.path != nil {
		return w.large(ctx, *u.path)
	}
	for try := 1; ; try++ {
		f, err := w.file(ctx, u)
		if err == nil || !buffers.IsChanged(err) {
			return f, err
		}
		if try == maxFileTries {
			return f, fault.From(err).At(w.hunt.scope.files.Path(u.at).Rel)
		}
		w.scan.reset()
		u.blocks = nil // they were of another state
	}
}

func (w *worker) hits(f FileHits) FileHits {
	if w.scan.last {
		w.scan.hits = lastOf(w.scan.hits, w.scan.keep)
	}
	f.Hits, f.Count, f.Lines, f.passedOver = w.scan.hits, w.scan.count, w.scan.lines, w.scan.passedOver
	return f
}

// file searches a file on disk.
func (w *worker) file(ctx context.Context, u *unit) (FileHits, error) {
	id, err := w.reader.Open(u.at)
	if err != nil {
		return FileHits{}, err
	}
	if most := w.hunt.snap.Gate.Settings().Read.MaxFileBytes; id.Size > most {
		return FileHits{}, fault.New(fault.FileTooLarge, "%d bytes; the limit is %d", id.Size, most).At(w.hunt.scope.files.Path(u.at).Rel)
	}
	if u.blocks != nil && id == w.hunt.scope.files.List[u.at].ID {
		return w.blocks(ctx, u, id)
	}
	if id.Size > w.hunt.sizes.whole {
		path := w.hunt.scope.files.Path(u.at)
		if search, err := w.worthwhile(ctx, path, id.Size); !search || err != nil {
			return FileHits{}, err
		}
		return w.large(ctx, path)
	}
	raw, err := w.read(0, id.Size)
	if err != nil {
		return FileHits{}, err
	}
	head := raw[:min(len(raw), sniffBytes)]
	format := text.Sniff(head, "")
	switch {
	case !format.Detected && text.IsBinary(head):
		return FileHits{}, nil
	case !format.Assumed || !utf8.Valid(raw):
		return w.large(ctx, w.hunt.scope.files.Path(u.at))
	}
	if err := w.scan.piece(ctx, raw, 0, 0); err != nil || w.scan.count == 0 {
		return FileHits{}, err
	}
	return w.found(u, id, raw)
}

// blocks searches parts of a plain file.
func (w *worker) blocks(ctx context.Context, u *unit, id fsys.ID) (FileHits, error) {
	search := w.scan.piece
	if w.scan.last {
		slices.Reverse(u.blocks)
		search = w.scan.before
	}
	for _, b := range u.blocks {
		if b.End-b.Start > int64(w.hunt.sizes.piece+w.hunt.sizes.longest) {
			w.scan.passedOver = true
			continue
		}
		raw, err := w.read(b.Start, b.End-b.Start)
		if err != nil {
			return FileHits{}, err
		}
		if err := search(ctx, raw, int(b.Start), b.Line); err != nil {
			return FileHits{}, err
		}
		if w.scan.full() {
			break
		}
	}
	if w.scan.count == 0 {
		return w.hits(FileHits{Path: w.hunt.scope.files.Path(u.at)}), nil
	}
	return w.found(u, id, nil)
}

// found gives the hits of a plain file in the state id; raw is all of it
// where it was read.
func (w *worker) found(u *unit, id fsys.ID, raw []byte) (FileHits, error) {
	hash, err := w.hunt.snap.HashOf(id, func() ([]byte, error) {
		if raw != nil {
			return raw, nil
		}
		return w.read(0, id.Size)
	})
	if err != nil {
		return FileHits{}, err
	}
	if now, err := w.reader.State(); err != nil || now != id && !w.stands(raw, id, hash) {
		return FileHits{}, errChanged
	}
	return w.hits(FileHits{Path: w.hunt.scope.files.Path(u.at), ID: id, Hash: hash}), nil
}

// stands reports whether raw, all of a file that changed since it was read, is
// still what it begins with: then something was appended.
func (w *worker) stands(raw []byte, id fsys.ID, hash text.Hash) bool {
	if raw == nil {
		return false // its parts were not read at once
	}
	again, err := w.read(0, id.Size)
	return err == nil && text.HashBytes(again) == hash
}

var errChanged = fault.New(fault.IO, "the file changed while it was searched").Advise("Call again.").With("changed", true)

// read reads n bytes of the open file from off into the worker's buffer.
func (w *worker) read(off, n int64) ([]byte, error) {
	if int64(cap(w.buf)) < n {
		w.buf = make([]byte, n+n/4)
	}
	b := w.buf[:n]
	got, err := w.reader.ReadAt(b, off)
	if int64(got) < n {
		if err == nil || fault.KindOf(err) == fault.IO {
			err = errChanged
		}
		return nil, err
	}
	return b, nil
}

// worthwhile reports whether the open file, a large one, is to be searched.
// One that was named always is, if it begins as a text. Of others the error
// says why it is left out, unless it is binary from its beginning on.
func (w *worker) worthwhile(ctx context.Context, path workspace.Path, size int64) (bool, error) {
	head, err := w.read(0, min(size, sniffBytes))
	if err != nil {
		return false, err
	}
	format, most := text.Sniff(head, ""), w.hunt.sizes.most
	under := w.hunt.request.Under
	switch {
	case !format.Detected && text.IsBinary(head):
		return false, nil
	case under != nil && under.Key() == path.Key():
		return true, nil
	case size > most:
		return false, fault.New(fault.FileTooLarge, "%d bytes, and over %d it is searched only where path names it", size, most).At(path.Rel)
	case !format.Assumed:
		return true, nil // zero bytes may be halves of characters
	}
	zero, err := w.firstZero(ctx, size)
	if err == nil && zero < size {
		err = fault.New(fault.BinaryFile, "a zero byte at %d: it is searched only where path names it", zero).At(path.Rel)
	}
	return err == nil, err
}

// firstZero returns where the first zero byte of the open file is; size when
// it has none. Holes are not read.
func (w *worker) firstZero(ctx context.Context, size int64) (int64, error) {
	end := w.reader.NextHole(0, size)
	for at := int64(0); at < end; at += windowBytes {
		if ctx.Err() != nil {
			return 0, fault.From(ctx.Err())
		}
		b, err := w.read(at, min(windowBytes, end-at))
		if err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return at + int64(i), nil
		}
	}
	return end, nil
}

// large searches a file by its parts, and what is not in UTF-8.
func (w *worker) large(ctx context.Context, path workspace.Path) (FileHits, error) {
	if w.snap == nil {
		w.snap = w.hunt.snap.Fork()
	}
	f, err := w.snap.File(ctx, path, "")
	// What it opened is not kept open for all of the search.
	defer func() {
		w.snap.Close()
		w.snap = w.hunt.snap.Fork()
	}()
	if err != nil || f.Binary {
		return FileHits{}, err
	}
	if err := w.pieces(ctx, f.Content); err != nil {
		return FileHits{}, fault.From(err).At(path.Rel)
	}
	if err := f.Err(); err != nil {
		return FileHits{}, err
	}
	return w.hits(FileHits{Path: path, Document: f.Document, ID: f.ID, Hash: f.Hash}), nil
}

// pieces searches a text piece by piece, each of whole lines.
func (w *worker) pieces(ctx context.Context, c buffers.Content) error {
	if doc, open := c.(text.Text); open && !w.scan.matcher.Multiline() && !w.scan.last && c.Len() > 2*w.hunt.sizes.part {
		return w.parts(ctx, doc)
	}
	var err error
	w.buf, err = w.scan.whole(ctx, c, w.hunt.sizes, w.buf)
	return err
}

// parts searches an open document in parts, several at a time: what is in
// memory is found at the speed of memory.
func (w *worker) parts(ctx context.Context, doc text.Text) error {
	size := w.hunt.sizes.part
	parts := make([]scan, (doc.Len()+size-1)/size)
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), len(parts), func(ctx context.Context, i int) error {
		parts[i] = w.scan
		parts[i].fold = nil
		parts[i].lineFeeds = doc.EOL() == text.LF
		part := text.Span{Start: partStart(doc, i*size), End: partStart(doc, (i+1)*size)}
		buf := w.hunt.buffers.get()
		buf, err := parts[i].pieces(ctx, doc, part, w.hunt.sizes.piece, w.hunt.sizes.longest, buf)
		w.hunt.buffers.put(buf)
		return err
	})
	if err != nil {
		return err
	}
	for i := range parts {
		w.scan.join(&parts[i])
	}
	return nil
}

// partStart returns the first line's start at or behind a byte.
func partStart(doc text.Text, at int) int {
	switch {
	case at == 0:
		return 0
	case at >= doc.Len():
		return doc.Len()
	}
	return lineEnd(doc, at-1)
}

// lineEnd returns where the line ends that holds the byte at o.
func lineEnd(c buffers.Content, o int) int { return c.LineStart(c.LineAt(o) + 1) }
