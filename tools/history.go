package tools

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
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// What a history holds at most: texts before and after each change, which
// share what they have in common; diffs and the bytes of deleted files; and
// changes.
const (
	historyTexts = 24 << 20
	historyBytes = 8 << 20
	maxHistory   = 10_000
	// maxCommands is how many of the changes may be those of hosts' commands: they
	// cannot be taken back, and shall not push out what can.
	maxCommands = 100
)

// History remembers what the calls of a session changed, so that it can be
// shown and taken back. Where it becomes too large the oldest changes are
// forgotten. It may be used from any goroutine. A nil History remembers
// nothing.
type History struct {
	texts *buffers.Texts
	tag   string // tells the changes of this session from those of others

	mu    sync.Mutex
	past  []*pastChange // oldest first
	count int           // changes so far
	bytes int
}

// pastChange is what one call changed, or what changed while a command of a host
// ran. It does not change, but for reverted.
type pastChange struct {
	id       string
	tool     string
	client   string // its name
	files    []pastFile
	reverted string // the id of the change that took it back; "" for none
	unknown  bool   // the editor did not say whether it made the change
	partial  bool   // the call failed, and this could not be taken back
	// ran is the command of a host while which this changed on disk; nil for a change
	// that a tool made.
	ran *pastCommand
}

// pastFile is what became of one file.
type pastFile struct {
	action changeAction
	// path and to name the file absolutely, or by its URI; shown and toShown
	// as people are told it.
	path, to       string
	shown, toShown string
	// old and fresh are the hashes of the file before and after.
	old, fresh text.Hash
	// saved is the hash of what the file was saved as when the call was
	// answered, where that is not fresh: a formatter ran.
	saved    text.Hash
	encoding text.Encoding         // forced: the file's own was only guessed
	raw      []byte                // of a deleted file; nil when it was not kept
	mode     atomicfile.ModeChange // of a deleted file, From
	diff     string
}

// NewHistory returns an empty history.
func NewHistory() *History {
	var tag [2]byte
	_, _ = rand.Read(tag[:]) // never fails
	return &History{texts: buffers.NewTextsWithin(historyTexts), tag: hex.EncodeToString(tag[:])}
}

// add remembers a change and returns its id.
func (h *History) add(p *pastChange) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	p.id = fmt.Sprintf("edit-%d-%s", h.count, h.tag)
	h.past = append(h.past, p)
	h.bytes += p.size()
	if p.ran != nil {
		h.forgetCommand()
	}
	for len(h.past) > 1 && (h.bytes > historyBytes || len(h.past) > maxHistory) {
		h.bytes -= h.past[0].size()
		h.past = h.past[1:]
	}
	return p.id
}

// forgetCommand forgets the oldest change of a command where there are too many.
func (h *History) forgetCommand() {
	oldest, count := -1, 0
	for i, p := range slices.Backward(h.past) {
		if p.ran != nil {
			oldest = i
			count++
		}
	}
	if count > maxCommands {
		h.bytes -= h.past[oldest].size()
		h.past = slices.Delete(h.past, oldest, oldest+1)
	}
}

func (p *pastChange) size() int {
	n := 512
	if p.ran != nil {
		n += len(p.ran.line)
	}
	for _, f := range p.files {
		n += len(f.diff) + len(f.raw) + 3*len(f.path) + 256
	}
	return n
}

// find returns the change of that id, as it is now.
func (h *History) find(id string) (pastChange, bool) {
	if h == nil {
		return pastChange{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.past {
		if p.id == id {
			return *p, true
		}
	}
	return pastChange{}, false
}

// named returns the id of the change that a caller names: by that, or by the
// first digits of the hash of a text that the change made. What was taken back
// counts only where nothing else fits. What names no change is returned as it is;
// several that fit are an error.
func (h *History) named(name string) (id string, err error) {
	p, bad := text.ParseHashPrefix(name)
	if bad != nil {
		return name, nil
	}
	id = name
	var ids, made []string // newest first
	for _, c := range h.all() {
		i := slices.IndexFunc(c.files, func(f pastFile) bool { return c.ran == nil && f.action != actionDeleted && p.Of(f.after()) })
		switch {
		case i < 0:
		case c.reverted == "":
			ids, made = append(ids, c.id), append(made, c.id+" of "+c.files[i].now())
		case id == name:
			id = c.id
		}
	}
	switch len(ids) {
	case 0:
		return id, nil
	case 1:
		return ids[0], nil
	}
	return "", fault.New(fault.InvalidParams, "several changes made the text with the hash %s: %s; nothing was changed", name, strings.Join(made[:min(len(made), maxNamed)], ", ")).
		Advise("Give the id of the one that is meant; the newest is the first.").With("ids", ids)
}

// now is the name that the change left the file, as people are told it.
func (f pastFile) now() string {
	if f.action == actionMoved {
		return f.toShown
	}
	return f.shown
}

// all returns all changes, the newest first.
func (h *History) all() []pastChange {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]pastChange, 0, len(h.past))
	for _, p := range slices.Backward(h.past) {
		list = append(list, *p)
	}
	return list
}

// reverted notes that the change id was taken back by the change by.
func (h *History) reverted(id, by string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.past {
		if p.id == id {
			p.reverted = by
		}
	}
}

// wasFormatted tells that the file was saved with more changes than the call's
// own; after is the hash that the call's answer gave.
func (f pastFile) wasFormatted() bool { return f.saved != text.Hash{} }

func (f pastFile) after() text.Hash {
	if f.wasFormatted() {
		return f.saved
	}
	return f.fresh
}

// pastCommand is a host's command, while which files changed on disk.
type pastCommand struct {
	line         string
	began, ended time.Time // ended is zero where the end was not told
	beside       bool      // other commands ran, or were not told to have ended
	late         bool      // the files before it were not known
	more         int       // files that are not named
}

type changeAction string

const (
	actionModified  changeAction = "modified"
	actionCreated   changeAction = "created"
	actionDeleted   changeAction = "deleted"
	actionMoved     changeAction = "moved"
	actionUnchanged changeAction = "unchanged"
)
