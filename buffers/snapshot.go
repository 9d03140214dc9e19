package buffers

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Snapshot is what one call sees: the open documents as of its arrival and,
// below them, the disk, of which each file is looked at once. It belongs to
// the goroutine of its call, which must close it.
type Snapshot struct {
	Overlay *Overlay
	Gate    *workspace.Gate

	disk  *Disk
	files map[fileKey]*File
}

type fileKey struct {
	key    string
	forced text.Encoding
}

// NewSnapshot joins an overlay, a gate and the disk for one call. Agents'
// ignore files that are open count as the editor has them, too.
func NewSnapshot(o *Overlay, g *workspace.Gate, d *Disk) *Snapshot {
	return &Snapshot{Overlay: o, Gate: g.WithAgentIgnores(o.ignores), disk: d, files: make(map[fileKey]*File, 1)}
}

// Fork returns a snapshot of the same documents and gate for another
// goroutine, which must close it. It looks at the disk anew.
func (s *Snapshot) Fork() *Snapshot { return NewSnapshot(s.Overlay, s.Gate, s.disk) }

// Close releases the files that the snapshot opened.
func (s *Snapshot) Close() {
	for _, f := range s.files {
		if f.disk != nil {
			f.disk.release()
		}
		if f.handle != nil {
			f.handle.Close()
		}
	}
	s.files = nil
}

// Resolve finds what a path argument names; see [workspace.Gate.Resolve]. What
// lies outside the workspace may be another name of a document that is open.
func (s *Snapshot) Resolve(arg string) (workspace.Path, error) {
	p, err := s.Gate.Resolve(arg, func(key string) bool { return s.Overlay.Get(key) != nil })
	switch fault.KindOf(err) {
	case fault.OutsideWorkspace, fault.NotFound:
	default:
		return p, err
	}
	for _, abs := range s.Gate.Named(arg) {
		real, dev, ino := fsys.Identify(abs)
		if d := s.OpenAs(real, fsys.ID{Dev: dev, Ino: ino}); d != nil {
			return s.Gate.FromURI(d.URI)
		}
	}
	return p, err
}

// File returns the file at p: the buffer's text where an editor has it open,
// by whatever name, else the disk's. forced is the encoding to read a file on
// disk in; "" detects it. Errors are those of [workspace.Gate.Open].
func (s *Snapshot) File(ctx context.Context, p workspace.Path, forced text.Encoding) (*File, error) {
	key := fileKey{p.Key(), forced}
	if f, ok := s.files[key]; ok {
		return f, nil
	}
	f, err := s.open(ctx, p, forced)
	if err != nil {
		return nil, err
	}
	s.files[key] = f
	return f, nil
}

func (s *Snapshot) open(ctx context.Context, p workspace.Path, forced text.Encoding) (*File, error) {
	if d := s.Overlay.Get(p.Key()); d != nil {
		return s.document(ctx, d)
	}
	f, err := s.openOnDisk(ctx, p, forced, false)
	for try := 1; try < maxScans && IsChanged(err); try++ {
		// A file that is written once is at rest by now. This one changes on:
		// if it grows, what it was when it was opened is still there.
		f, err = s.openOnDisk(ctx, p, forced, true)
	}
	return f, err
}

// IsBinary reports whether the file on disk at p holds no text, by its first
// bytes alone. Errors are those of [workspace.Gate.Open] and of reading.
func (s *Snapshot) IsBinary(p workspace.Path) (bool, error) {
	h, err := s.Gate.Open(p)
	if err != nil {
		return false, err
	}
	defer h.Close()
	head := make([]byte, min(sniffBytes, h.ID.Size))
	if err := readAt(h.File, head, 0); err != nil {
		return false, err
	}
	return isBinary(head, text.Sniff(head, "")), nil
}

// maxScans is how often a file is read anew that changes while it is read: a
// program that saves it removes the old one at that moment.
const maxScans = 3

func (s *Snapshot) openOnDisk(ctx context.Context, p workspace.Path, forced text.Encoding, growing bool) (*File, error) {
	h, err := s.Gate.Open(p)
	if err != nil {
		return nil, err
	}
	if d := s.OpenAs(h.Real, h.ID); d != nil {
		h.Close()
		return s.document(ctx, d)
	}
	f, err := s.onDisk(ctx, p, h, forced, growing)
	if err != nil {
		h.Close()
	}
	return f, err
}

// OpenAs returns the document that has a file open under another name, or
// nil: real is the file's real path, id its identity. A document that only
// had it open, and whose own name leads to another file by now, is not it.
func (s *Snapshot) OpenAs(real string, id fsys.ID) *Document {
	for _, d := range s.Overlay.docs {
		was := d.base.id
		if d.real == "" || d.real != real && (was.Dev != id.Dev || was.Ino != id.Ino) {
			continue
		}
		now, err := s.Gate.StatDocument(d.Path)
		if err == nil && now.Dev == id.Dev && now.Ino == id.Ino {
			return d
		}
	}
	return nil
}

func (s *Snapshot) onDisk(ctx context.Context, p workspace.Path, h *fsys.Handle, forced text.Encoding, growing bool) (*File, error) {
	if limit := s.Gate.Settings().Read.MaxFileBytes; h.ID.Size > limit {
		return nil, fault.New(fault.FileTooLarge, "%d bytes; the limit is %d", h.ID.Size, limit).At(p.Rel).
			Advise("Raise the setting agentLsp.read.maxFileBytes.")
	}
	facts, err := s.disk.factsOf(ctx, h, forced, growing)
	if err != nil {
		return nil, fault.From(err).At(p.Rel)
	}
	f := &File{
		Path: p, Source: FromDisk, Hash: facts.hash, Binary: facts.binary, Magic: facts.magic,
		SizeBytes: h.ID.Size, ID: h.ID, Real: h.Real, handle: h,
		NotebookOpen: s.Overlay.NotebookOpen(p.Key()) || s.Overlay.NotebookOpen(h.Real),
		Unsynced:     s.Overlay.Unsynced(p.Key()) || s.Overlay.Unsynced(h.Real),
	}
	if facts.binary {
		return f, nil
	}
	f.Format, f.Detected, f.Lossy = facts.format, facts.detected, facts.lossy
	f.EOL, f.FinalNewline = facts.index.eol(), facts.index.endsInBreak
	f.disk = newDiskText(h, facts, s.disk)
	f.Content = f.disk
	return f, nil
}

// document returns the file that an open document stands for, held against
// what the disk has.
func (s *Snapshot) document(ctx context.Context, d *Document) (*File, error) {
	// Roots may have changed since it was opened, and with them its path.
	path, err := s.Gate.FromURI(d.URI)
	if err != nil {
		return nil, err
	}
	if err := s.Gate.CheckRead(path); err != nil {
		return nil, err
	}
	if d.peer != nil {
		return s.peerFile(d, path), nil
	}
	f := &File{
		Path: path, Source: FromBuffer, Document: d, Content: d.Text, Format: plain, Real: d.real,
		EOL: d.Text.EOL(), FinalNewline: d.Text.FinalNewline(),
	}
	var known baseFacts
	if !d.Path.Untitled() {
		if known, err = d.base.facts(ctx, d.Path, s.Gate, s.disk); err != nil {
			return nil, err
		}
	}
	s.encode(f, known.format)
	if d.Path.Untitled() {
		f.Dirty = d.Text.Len() > 0
		return f, nil
	}
	return f, s.compare(ctx, f, known)
}

// encode decides how the buffer's text stands in bytes, and its hash.
func (s *Snapshot) encode(f *File, ofBase *text.Format) {
	d := f.Document
	switch {
	case d.told != nil:
		f.Format = *d.told
	case ofBase != nil:
		f.Format = *ofBase
	case !d.Path.Untitled():
		f.Unknown, f.Lossy = true, true
	}
	hash, err := d.hash(f.Format)
	if err != nil { // the encoding cannot hold the text: nobody can save it so
		f.Format, f.Unknown, f.Lossy = plain, true, true
		hash, _ = d.hash(plain)
	}
	f.Hash = hash
}

// compare reports whether buffer and file left their base.
func (s *Snapshot) compare(ctx context.Context, f *File, base baseFacts) error {
	d := f.Document
	id, err := s.Gate.StatDocument(d.Path)
	if e := fault.From(err); e != nil && e.Kind == fault.PermissionDenied && e.Details["rule"] != "file permissions" {
		return e // its name leads to what is kept from agents
	}
	if err != nil { // there is no file, or none that can be looked at
		f.Dirty, f.DiskChanged = d.leftBase(f.Hash, base), base.hash != nil
		return nil
	}
	f.ID, f.SizeBytes = id, id.Size
	f.DiskHash = base.hash
	if id != base.seen {
		now, err := s.disk.documentFacts(ctx, s.Gate, d.Path)
		if ctx.Err() != nil {
			return fault.From(ctx.Err())
		}
		if err != nil {
			f.DiskHash = nil
			f.Dirty, f.DiskChanged = d.leftBase(f.Hash, base), true
			return nil
		}
		f.DiskHash = &now.hash
	}
	if *f.DiskHash == f.Hash {
		return nil // whatever happened, they are the same now
	}
	f.Altered = base.altered
	f.Dirty = d.leftBase(f.Hash, base)
	f.DiskChanged = base.hash == nil || *f.DiskHash != *base.hash
	return nil
}

// leftBase reports whether the document's text, whose hash is given, is not
// its base.
func (d *Document) leftBase(hash text.Hash, base baseFacts) bool {
	switch {
	case base.altered: // by the editor; what counts is what was done since
		return !d.Text.Equal(d.base.text)
	case base.hash != nil:
		return hash != *base.hash
	case d.base.clean:
		return !d.Text.Equal(d.base.text)
	case d.base.id == (fsys.ID{}):
		return d.Text.Len() > 0 // there was no file
	}
	return true
}
