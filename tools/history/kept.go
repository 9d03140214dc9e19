package history

import (
	"io/fs"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// keptChange is a [Entry] as the ledger keeps it: without the texts, which
// its diffs tell.
type keptChange struct {
	Tool     string       `json:"tool"`
	Client   string       `json:"client,omitempty"`
	Time     time.Time    `json:"time,omitzero"`
	Reverted string       `json:"reverted,omitempty"`
	Unknown  bool         `json:"unknown,omitzero"`
	Partial  bool         `json:"partial,omitzero"`
	Ran      *keptCommand `json:"ran,omitempty"`
	Files    []keptFile   `json:"files"`
}

type keptCommand struct {
	Line   string    `json:"line"`
	Began  time.Time `json:"began"`
	Ended  time.Time `json:"ended,omitzero"`
	Beside bool      `json:"beside,omitzero"`
	Late   bool      `json:"late,omitzero"`
	More   int       `json:"more,omitzero"`
}

type keptFile struct {
	Action   Action        `json:"action"`
	Path     string        `json:"path"`
	To       string        `json:"to,omitempty"`
	Shown    string        `json:"shown"`
	ToShown  string        `json:"to_shown,omitempty"`
	Old      string        `json:"old,omitempty"`
	Fresh    string        `json:"fresh,omitempty"`
	Saved    string        `json:"saved,omitempty"`
	Encoding text.Encoding `json:"encoding,omitempty"`
	Raw      *[]byte       `json:"raw,omitempty"`
	ModeFrom fs.FileMode   `json:"mode_from,omitzero"`
	ModeTo   fs.FileMode   `json:"mode_to,omitzero"`
	Diff     string        `json:"diff,omitempty"`
}

// kept returns the entry that keeps a change.
func (p *Entry) kept() ledger.Entry {
	k := keptChange{Tool: p.Tool, Client: p.Client, Time: p.Time, Reverted: p.RevertedBy, Unknown: p.Unknown, Partial: p.Partial}
	if c := p.Ran; c != nil {
		k.Ran = &keptCommand{c.Line, c.Began, c.Ended, c.Beside, c.Late, c.More}
	}
	for _, f := range p.Files {
		file := keptFile{
			Action: f.Action, Path: f.Path, To: f.To, Shown: f.Shown, ToShown: f.ToShown, Encoding: f.Encoding,
			Old: hashText(f.OldHash), Fresh: hashText(f.NewHash), Saved: hashText(f.SavedHash),
			ModeFrom: f.Mode.From, ModeTo: f.Mode.To, Diff: f.Diff,
		}
		if f.Raw != nil {
			file.Raw = &f.Raw
		}
		k.Files = append(k.Files, file)
	}
	raw, _ := wire.Marshal(k) // of plain values
	return ledger.Entry{Do: ledger.DoChange, Key: p.ID, Value: raw}
}

func hashText(h text.Hash) string {
	if h == (text.Hash{}) {
		return ""
	}
	return h.String()
}

// entryOf returns the change that was kept.
func entryOf(kept ledger.Kept) (*Entry, error) {
	var k keptChange
	if err := wire.Unmarshal(kept.Value, &k); err != nil {
		return nil, err
	}
	p := &Entry{ID: kept.Key, Tool: k.Tool, Client: k.Client, Time: k.Time, RevertedBy: k.Reverted, Unknown: k.Unknown, Partial: k.Partial}
	if c := k.Ran; c != nil {
		p.Ran = &Command{c.Line, c.Began, c.Ended, c.Beside, c.Late, c.More}
	}
	for _, f := range k.Files {
		file := File{
			Action: f.Action, Path: f.Path, To: f.To, Shown: f.Shown, ToShown: f.ToShown, Encoding: f.Encoding,
			Mode: atomicfile.ModeChange{From: f.ModeFrom, To: f.ModeTo}, Diff: f.Diff,
		}
		file.OldHash, _ = text.ParseHash(f.Old) // zero where there is none
		file.NewHash, _ = text.ParseHash(f.Fresh)
		file.SavedHash, _ = text.ParseHash(f.Saved)
		if f.Raw != nil {
			file.Raw = *f.Raw
		}
		p.Files = append(p.Files, file)
	}
	return p, nil
}

// Restore has the history begin with what was kept, and keep by record what comes.
func (h *History) Restore(kept []ledger.Kept, record func(ledger.Entry)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.record = record
	var earlier []*Entry
	for _, k := range kept {
		if p, err := entryOf(k); err == nil {
			earlier = append(earlier, p)
			h.bytes += p.size()
		}
	}
	h.entries = append(earlier, h.entries...)
	h.bound()
}

// Kept returns those that keep the newest changes within room bytes.
func (h *History) Kept(room int64) []ledger.Entry {
	var kept []ledger.Kept
	h.mu.Lock()
	for _, p := range h.entries {
		e := p.kept()
		kept = append(kept, ledger.Kept{Key: e.Key, Value: e.Value})
	}
	h.mu.Unlock()
	return ledger.Newest(ledger.DoChange, kept, room)
}

// Forget drops all changes.
func (h *History) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries, h.bytes = nil, 0
}
