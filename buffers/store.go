package buffers

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Limits of what is kept for a document whose text is out of sync, until the
// editor gives it anew. Beyond them the document stays out of sync and the next
// full text is asked for.
const (
	maxQueuedChanges = 4096
	maxQueuedBytes   = 8 << 20
)

// Store is the mirror of the editor's open documents. Its methods may be
// called from any goroutine; events take effect in the order of the calls.
type Store struct {
	current atomic.Pointer[Overlay]

	mu      sync.Mutex // orders events; never held over I/O or hashing
	watches map[string][]*Watch
	passed  []Seen // texts of the event under way, told once it is published
	feeds   map[*Feed]bool
}

// NewStore returns a store without documents.
func NewStore() *Store {
	s := &Store{watches: make(map[string][]*Watch), feeds: make(map[*Feed]bool)}
	s.current.Store(&Overlay{})
	return s
}

// Overlay returns the documents as of the last event. It costs one load.
func (s *Store) Overlay() *Overlay { return s.current.Load() }

// Opening is what an editor says when it opens a document.
type Opening struct {
	URI            string
	Path           workspace.Path
	LanguageID     string
	Version        int32
	Text           string
	LoneSurrogates bool // Text has lone surrogates, as U+FFFD: it is out of sync
	Lines          text.LineRule
	// OnDisk is the file's state when it was opened; its zero value means
	// that there was no file. Real is the file's real path.
	OnDisk fsys.ID
	Real   string
}

// Open takes a document over. Opening what is open already replaces it: the
// newest word of the editor counts.
func (s *Store) Open(o Opening) {
	t := text.New(o.Text)
	d := &Document{
		URI: o.URI, Path: o.Path, LanguageID: o.LanguageID, Version: o.Version, Text: t,
		key: o.Path.Key(), real: o.Real, lines: o.Lines,
		base: &base{text: t, id: o.OnDisk}, sum: &sum{},
	}
	if o.LoneSurrogates {
		d.OutOfSync = halfPair
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.Overlay().Get(d.key); old != nil {
		d.epoch = old.epoch
		d.epoch++
	}
	s.pass(d)
	s.publish(d)
}

// Change is one content change of a didChange notification.
type Change struct {
	// Range is what Text replaces; nil replaces the whole text.
	Range *Range
	Text  string
	// LoneSurrogates: Text has lone surrogates, which no text here can
	// hold, as U+FFFD.
	LoneSurrogates bool
}

// halfPair is why a document is out of sync whose text has one.
const halfPair = "it holds half of a surrogate pair, which is no character"

// Range is a pair of positions, in the encoding that was negotiated and the
// document's line rule, half open.
type Range struct{ Start, End text.Position }

// Change applies one notification's changes in order, each to the result of
// the one before. Positions past the end are clamped as LSP says. What cannot
// be followed (a version that does not grow, a range that ends before it
// starts) makes the document out of sync: the changes are kept until the text is
// given anew, and the returned error says why. A document that is not open is
// [fault.NotFound].
func (s *Store) Change(key string, version int32, enc text.PositionEncoding, changes []Change) error {
	return s.update(key, func(old *Document) (*Document, error) {
		d := *old
		changes, whole := fromLastFullText(changes)
		switch {
		case whole:
			d.OutOfSync, d.queue, d.bytes = "", nil, 0
			d.epoch++
		case d.OutOfSync != "":
			return d.enqueue(version, changes), nil
		case version <= old.Version:
			return d.lost(version, changes, fmt.Sprintf("version %d came after version %d", version, old.Version))
		}
		if reason := d.apply(version, enc, changes, s.pass); reason != "" {
			d = *old
			return d.lost(version, changes, reason)
		}
		return &d, nil
	})
}

// fromLastFullText drops the changes that a later change of the whole text
// overwrites.
func fromLastFullText(changes []Change) (rest []Change, whole bool) {
	for i, c := range slices.Backward(changes) {
		if c.Range == nil {
			return changes[i:], true
		}
	}
	return changes, false
}

// apply moves d to version by changes and passes each text on the way. It
// returns why the changes cannot be followed, or "".
func (d *Document) apply(version int32, enc text.PositionEncoding, changes []Change, pass func(*Document)) string {
	coord := text.Coord{Encoding: enc, Lines: d.lines}
	for _, c := range changes {
		if c.LoneSurrogates {
			return halfPair
		}
		if c.Range == nil {
			d.Text = text.New(c.Text)
		} else {
			start, end := d.Text.OffsetAt(c.Range.Start, coord), d.Text.OffsetAt(c.Range.End, coord)
			if start > end {
				return "a change ends before it starts"
			}
			if d.splitsPair(c.Range.Start, start, coord) || d.splitsPair(c.Range.End, end, coord) {
				return halfPair
			}
			d.Text = d.Text.Replace(text.Span{Start: start, End: end}, c.Text)
		}
		d.Version = version
		pass(d)
	}
	d.Version = version
	d.sum = &sum{}
	return ""
}

// splitsPair reports whether a position, whose offset is given, lies between
// the surrogates of one character.
func (d *Document) splitsPair(p text.Position, at text.Offset, c text.Coord) bool {
	if c.Encoding != text.UTF16 || at >= d.Text.Len() {
		return false
	}
	var b [1]byte
	const fourBytes = 0xF0 // what a character with surrogates begins with
	return d.Text.Append(b[:0], text.Span{Start: at, End: at + 1})[0] >= fourBytes && d.Text.PositionAt(at, c) != p
}

// lost returns d as out of sync, with the changes kept for when the text is known.
func (d Document) lost(version int32, changes []Change, reason string) (*Document, error) {
	d.OutOfSync = reason
	return d.enqueue(version, changes), fault.New(fault.BufferUnsure, "%s", reason).At(d.Path.Rel)
}

func (d Document) enqueue(version int32, changes []Change) *Document {
	for _, c := range changes {
		d.bytes += len(c.Text)
	}
	if len(d.queue) >= maxQueuedChanges || d.bytes > maxQueuedBytes {
		d.queue, d.bytes = nil, 0
		d.epoch++ // an answer that is on its way would lack what was dropped
		return &d
	}
	d.queue = append(slices.Clip(d.queue), queued{version, changes})
	return &d
}

// MarkOutOfSync marks the document as out of sync because its mirror may be wrong, unless
// its whole text was given anew since d. It reports whether the document is
// out of sync now.
func (s *Store) MarkOutOfSync(d *Document, reason string) bool {
	outOfSync := false
	_ = s.update(d.key, func(old *Document) (*Document, error) {
		if old.epoch != d.epoch {
			outOfSync = old.OutOfSync != ""
			return old, nil
		}
		n := *old
		n.OutOfSync, outOfSync = reason, true
		return &n, nil
	})
	return outOfSync
}

// Resync gives the whole text of a document as it was at version, in answer
// to a question asked when the document was in state asked. Changes that came
// since are applied on top. It reports whether the document is sure again: a
// text that was given anew in the meantime wins over an older answer.
func (s *Store) Resync(asked *Document, version int32, enc text.PositionEncoding, lines text.LineRule, whole string) bool {
	sure := false
	_ = s.update(asked.key, func(old *Document) (*Document, error) {
		if old.OutOfSync == "" || old.epoch != asked.epoch {
			sure = old.OutOfSync == ""
			return old, nil
		}
		d := *old
		d.OutOfSync, d.queue, d.bytes, d.lines = "", nil, 0, lines
		d.epoch++
		full := []Change{{Text: whole}}
		d.apply(version, enc, full, s.pass)
		for _, q := range old.queue {
			if q.version <= version {
				continue
			}
			if reason := d.apply(q.version, enc, q.changes, s.pass); reason != "" {
				d.OutOfSync = reason
				return &d, nil
			}
		}
		sure = true
		return &d, nil
	})
	return sure
}

// Saved is the file's state right after the editor wrote it.
type Saved struct {
	OnDisk fsys.ID
	Real   string
}

// Save makes the present text the document's base.
func (s *Store) Save(key string, saved Saved) error {
	return s.update(key, func(old *Document) (*Document, error) { return old.rebased(saved), nil })
}

// rebased returns d with its present text as base, known to be clean.
func (d Document) rebased(on Saved) *Document {
	d.base = &base{text: d.Text, id: on.OnDisk, clean: true, likely: d.likelyFormat()}
	d.real = on.Real
	return &d
}

// likelyFormat is how the document's bytes are most likely written: as the
// client tells, or as its base was.
func (d *Document) likelyFormat() *text.Format {
	if d.told != nil {
		return d.told
	}
	d.base.mu.Lock()
	defer d.base.mu.Unlock()
	if d.base.known != nil {
		return d.base.known.format
	}
	return d.base.likely
}

// State is what a client's agent/documentState says, as far as it was given.
type State struct {
	Version int32
	Dirty   *bool
	Format  *text.Format
	Lines   *text.LineRule
	// OnDisk is the file's state when the word came.
	OnDisk Saved
}

// State notes what the client says of a document. A clean document whose text
// is not its base was reloaded: its text becomes the base. Words about
// another version tell nothing about the dirty flag.
func (s *Store) State(key string, st State) error {
	return s.update(key, func(old *Document) (*Document, error) {
		d := *old
		if st.Format != nil {
			d.told = st.Format
		}
		if st.Lines != nil {
			d.lines = *st.Lines
		}
		if st.Dirty == nil || st.Version != d.Version {
			return &d, nil
		}
		if !*st.Dirty && (!d.base.clean || !d.Text.Equal(d.base.text)) {
			if !d.Text.Equal(d.base.text) {
				d.reloads++
			}
			return d.rebased(st.OnDisk), nil
		}
		return &d, nil
	})
}

// Close forgets a document. It reports whether it was open.
func (s *Store) Close(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.Overlay()
	d := o.Get(key)
	if d == nil {
		return false
	}
	s.current.Store(o.without(key))
	for f := range s.feeds {
		f.add(Event{d, true})
	}
	for _, w := range s.watches[key] {
		w.end()
	}
	return true
}

// OpenCell notes that a cell of the notebook with the given key is open as a
// document of its own, under uri. Its text is not kept: it is no file's.
func (s *Store) OpenCell(notebook, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, _ := s.Overlay().withoutCell(uri)
	s.current.Store(&Overlay{docs: o.docs, ignores: o.ignores, cells: append(slices.Clip(o.cells), cell{notebook, uri}), tabs: o.tabs})
}

// CloseCell forgets a cell. It reports whether it was open.
func (s *Store) CloseCell(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, there := s.Overlay().withoutCell(uri)
	s.current.Store(o)
	return there
}

// ShowTabs notes the tabs whose text the editor does not tell, in place of
// those before. The slice must not be changed any more.
func (s *Store) ShowTabs(tabs []Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.Overlay()
	s.current.Store(&Overlay{docs: o.docs, ignores: o.ignores, cells: o.cells, tabs: tabs})
}

// update replaces the document under key by what f makes of it.
func (s *Store) update(key string, f func(*Document) (*Document, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Overlay().Get(key)
	if old == nil {
		return fault.New(fault.NotFound, "the document is not open").At(key)
	}
	d, err := f(old)
	if d != old {
		s.publish(d)
	}
	return err
}

// pass notes a text on the way of the event under way.
func (s *Store) pass(d *Document) {
	s.passed = append(s.passed, Seen{Version: d.Version, Text: d.Text})
}

// publish makes d current, then tells its watches what it passed through: who
// was told of a text finds it, or a later one, in the overlay.
func (s *Store) publish(d *Document) {
	s.current.Store(s.Overlay().with(d))
	for _, w := range s.watches[d.key] {
		w.add(s.passed)
	}
	s.passed = nil
	for f := range s.feeds {
		f.add(Event{Document: d})
	}
}
