package history

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// What a history holds at most: texts before and after each change, which
// share what they have in common; diffs and the bytes of deleted files; and
// changes.
const (
	historyTexts = 24 << 20
	historyBytes = 8 << 20
	maxHistory   = 10_000
	// maxCommands is how many of the changes may be those of hosts' commands: they
	// cannot be reverted, and shall not push out what can.
	maxCommands = 100
)

// History remembers what the calls of a session changed, so that it can be
// shown and reverted. Where it becomes too large the oldest changes are
// forgotten. It may be used from any goroutine. A nil History remembers
// nothing.
type History struct {
	Texts *buffers.Texts
	tag   string // tells the changes of this session from those of others

	mu      sync.Mutex
	entries []*Entry // oldest first
	count   int      // changes so far
	bytes   int
	// record keeps a change for the next process; nil keeps none.
	record func(ledger.Entry)
}

// Entry is what one call changed, or what changed while a command of a host
// ran. It does not change, but for reverted.
type Entry struct {
	ID         string
	Tool       string
	Client     string // its name
	Time       time.Time
	Files      []File
	RevertedBy string // the id of the change that took it back; "" for none
	Unknown    bool   // the editor did not say whether it made the change
	Partial    bool   // the call failed, and this could not be taken back
	// Ran is the command of a host while which this changed on disk; nil for a change
	// that a tool made.
	Ran *Command
}

// File is what became of one file.
type File struct {
	Action Action
	// Path and to name the file absolutely, or by its URI; shown and toShown
	// as people are told it.
	Path, To       string
	Shown, ToShown string
	// OldHash and fresh are the hashes of the file before and after.
	OldHash, NewHash text.Hash
	// SavedHash is the hash of what the file was saved as when the call was
	// answered, where that is not fresh: a formatter ran.
	SavedHash text.Hash
	Encoding  text.Encoding         // forced: the file's own was only guessed
	Raw       []byte                // of a deleted file; nil when it was not kept
	Mode      atomicfile.ModeChange // of a deleted file, From
	Diff      string
}

// New returns an empty history.
func New() *History {
	var tag [2]byte
	_, _ = rand.Read(tag[:]) // never fails
	return &History{Texts: buffers.NewTextsWithin(historyTexts), tag: hex.EncodeToString(tag[:])}
}

// Add remembers a change and returns its id.
func (h *History) Add(p *Entry) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	p.ID = fmt.Sprintf("edit-%d-%s", h.count, h.tag)
	h.entries = append(h.entries, p)
	h.bytes += p.size()
	if p.Ran != nil {
		h.forgetCommand()
	}
	h.bound()
	h.keep(p)
	return p.ID
}

// bound forgets the oldest changes where there are too many.
func (h *History) bound() {
	for len(h.entries) > 1 && (h.bytes > historyBytes || len(h.entries) > maxHistory) {
		h.bytes -= h.entries[0].size()
		h.entries = h.entries[1:]
	}
}

// keep records a change as it is now.
func (h *History) keep(p *Entry) {
	if h.record != nil {
		h.record(p.kept())
	}
}

// forgetCommand forgets the oldest change of a command where there are too many.
func (h *History) forgetCommand() {
	oldest, count := -1, 0
	for i, p := range slices.Backward(h.entries) {
		if p.Ran != nil {
			oldest = i
			count++
		}
	}
	if count > maxCommands {
		h.bytes -= h.entries[oldest].size()
		h.entries = slices.Delete(h.entries, oldest, oldest+1)
	}
}

func (p *Entry) size() int {
	n := 512
	if p.Ran != nil {
		n += len(p.Ran.Line)
	}
	for _, f := range p.Files {
		n += len(f.Diff) + len(f.Raw) + 3*len(f.Path) + 256
	}
	return n
}

// Find returns the change of that id, as it is now.
func (h *History) Find(id string) (Entry, bool) {
	if h == nil {
		return Entry{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.entries {
		if p.ID == id {
			return *p, true
		}
	}
	return Entry{}, false
}

// Named returns the id of the change that a caller names: by that, or by the
// first digits of the hash of a text that the change made. What was reverted
// counts only where nothing else fits. What names no change is returned as it is;
// several that fit are an error.
func (h *History) Named(name string) (id string, err error) {
	p, bad := text.ParseHashPrefix(name)
	if bad != nil {
		return name, nil
	}
	id = name
	var ids, made []string // newest first
	for _, c := range h.All() {
		i := slices.IndexFunc(c.Files, func(f File) bool { return c.Ran == nil && f.Action != Deleted && p.Of(f.After()) })
		switch {
		case i < 0:
		case c.RevertedBy == "":
			ids, made = append(ids, c.ID), append(made, c.ID+" of "+c.Files[i].now())
		case id == name:
			id = c.ID
		}
	}
	switch len(ids) {
	case 0:
		return id, nil
	case 1:
		return ids[0], nil
	}
	return "", fault.New(fault.InvalidParams, "several changes made the text with the hash %s: %s; nothing was changed", name, strings.Join(made[:min(len(made), wording.MaxNamed)], ", ")).
		Advise("Give the id of the one that is meant; the newest is the first.").With("ids", ids)
}

// now is the name that the change left the file, as people are told it.
func (f File) now() string {
	if f.Action == Moved {
		return f.ToShown
	}
	return f.Shown
}

// All returns all changes, the newest first.
func (h *History) All() []Entry {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Entry, 0, len(h.entries))
	for _, p := range slices.Backward(h.entries) {
		list = append(list, *p)
	}
	return list
}

// MarkReverted notes that the change id was reverted by the change by.
func (h *History) MarkReverted(id, by string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.entries {
		if p.ID == id {
			p.RevertedBy = by
			h.keep(p)
		}
	}
}

// WasFormatted reports whether the file was saved with more changes than the call's
// own.
func (f File) WasFormatted() bool { return f.SavedHash != text.Hash{} }

// After returns the hash that the call's answer gave.
func (f File) After() text.Hash {
	if f.WasFormatted() {
		return f.SavedHash
	}
	return f.NewHash
}

// Command is a host's command, while which files changed on disk.
type Command struct {
	Line         string
	Began, Ended time.Time // ended is zero where the end was not told
	Beside       bool      // other commands ran, or were not told to have ended
	Late         bool      // the files before it were not known
	More         int       // files that are not named
}

// Action is what became of a file.
type Action string

// What may become of a file.
const (
	Modified  Action = "modified"
	Created   Action = "created"
	Deleted   Action = "deleted"
	Moved     Action = "moved"
	Unchanged Action = "unchanged"
)
