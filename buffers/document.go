package buffers

import (
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Document is one state of an open document. It never changes: each event
// makes a new one, which shares the unchanged parts of the text.
type Document struct {
	// URI is the document's name as the editor spells it.
	URI string
	// Path is what the URI names.
	Path workspace.Path
	// LanguageID is the editor's name for the language.
	LanguageID string
	// Version is the editor's own number for this state, echoed.
	Version int32
	// Text is the mirrored text; while OutOfSync is set it is the last text known.
	Text text.Text
	// OutOfSync says why the mirror may differ from the editor's text; empty
	// when it does not.
	OutOfSync string

	key   string
	real  string // real path of the file as of base; empty when it has none
	lines text.LineRule
	told  *text.Format // what the client says of its bytes; nil when it does not
	base  *base        // the disk text as of open, save or reload
	sum   *sum         // hash of Text, shared by states with the same text
	queue []queued     // changes that came while out of sync, oldest first
	bytes int          // how many bytes of text the queue holds
	epoch int          // grows when the whole text was given anew

	reloads int // how often it took another text from disk

	peer *PeerDocument // what its own session says of it; nil for one of ours
}

// queued is one notification's worth of changes.
type queued struct {
	version int32
	changes []Change
}

// Key returns the name under which the document is found in an [Overlay].
func (d *Document) Key() string { return d.key }

// Real returns the real path of the document's file when it was opened, saved
// or reloaded; empty when there was none.
func (d *Document) Real() string { return d.real }

// Reloads returns how often the document has taken another text from disk, as far
// as the client told it by saying that it is clean with a text that was not saved.
func (d *Document) Reloads() int { return d.reloads }

// Lines returns the rule by which the document's editor ends lines.
func (d *Document) Lines() text.LineRule { return d.lines }

// sum computes a text's hash under a format once.
type sum struct {
	mu     sync.Mutex
	format text.Format
	done   bool
	hash   text.Hash
	err    error
}

// LearnHash notes the hash of the bytes that saving the text under f would
// write, from a caller who has taken it of an equal text.
func (d *Document) LearnHash(f text.Format, h text.Hash) {
	d.sum.mu.Lock()
	defer d.sum.mu.Unlock()
	if !d.sum.done {
		d.sum.format, d.sum.hash, d.sum.err, d.sum.done = f, h, nil, true
	}
}

// hash returns the hash of the bytes that saving d.Text under f would write.
// The error is that of [text.Format.Hash].
func (d *Document) hash(f text.Format) (text.Hash, error) {
	s := d.sum
	s.mu.Lock()
	if s.done && s.format == f {
		defer s.mu.Unlock()
		return s.hash, s.err
	}
	s.mu.Unlock()
	// Two calls may both compute it; that costs less than a lock over it.
	hash, err := f.Hash(d.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.format, s.hash, s.err, s.done = f, hash, err, true
	return hash, err
}

// OnDisk returns the state of the document's file when it was opened, saved or
// reloaded; zero when there was none.
func (d *Document) OnDisk() fsys.ID { return d.base.id }
