package tools

import (
	"io/fs"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// keptChange is a [pastChange] as the ledger keeps it: without the texts, which
// its diffs tell.
type keptChange struct {
	Tool     string       `json:"tool"`
	Client   Client       `json:"client"`
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
	Action   changeAction  `json:"action"`
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
func (p *pastChange) kept() ledger.Entry {
	k := keptChange{Tool: p.tool, Client: p.client, Time: p.time, Reverted: p.reverted, Unknown: p.unknown, Partial: p.partial}
	if c := p.ran; c != nil {
		k.Ran = &keptCommand{c.line, c.began, c.ended, c.beside, c.late, c.more}
	}
	for _, f := range p.files {
		file := keptFile{
			Action: f.action, Path: f.path, To: f.to, Shown: f.shown, ToShown: f.toShown, Encoding: f.encoding,
			Old: hashText(f.old), Fresh: hashText(f.fresh), Saved: hashText(f.saved),
			ModeFrom: f.mode.From, ModeTo: f.mode.To, Diff: f.diff,
		}
		if f.raw != nil {
			file.Raw = &f.raw
		}
		k.Files = append(k.Files, file)
	}
	raw, _ := wire.Marshal(k) // of plain values
	return ledger.Entry{Do: ledger.DoChange, Key: p.id, Value: raw}
}

func hashText(h text.Hash) string {
	if h == (text.Hash{}) {
		return ""
	}
	return h.String()
}

// pastOf returns the change that was kept.
func pastOf(kept ledger.Kept) (*pastChange, error) {
	var k keptChange
	if err := wire.Unmarshal(kept.Value, &k); err != nil {
		return nil, err
	}
	p := &pastChange{id: kept.Key, tool: k.Tool, client: k.Client, time: k.Time, reverted: k.Reverted, unknown: k.Unknown, partial: k.Partial}
	if c := k.Ran; c != nil {
		p.ran = &pastCommand{c.Line, c.Began, c.Ended, c.Beside, c.Late, c.More}
	}
	for _, f := range k.Files {
		file := pastFile{
			action: f.Action, path: f.Path, to: f.To, shown: f.Shown, toShown: f.ToShown, encoding: f.Encoding,
			mode: atomicfile.ModeChange{From: f.ModeFrom, To: f.ModeTo}, diff: f.Diff,
		}
		file.old, _ = text.ParseHash(f.Old) // zero where there is none
		file.fresh, _ = text.ParseHash(f.Fresh)
		file.saved, _ = text.ParseHash(f.Saved)
		if f.Raw != nil {
			file.raw = *f.Raw
		}
		p.files = append(p.files, file)
	}
	return p, nil
}

// restore has the history begin with what was kept, and keep by record what comes.
func (h *History) restore(kept []ledger.Kept, record func(ledger.Entry)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.record = record
	var past []*pastChange
	for _, k := range kept {
		if p, err := pastOf(k); err == nil {
			past = append(past, p)
			h.bytes += p.size()
		}
	}
	h.past = append(past, h.past...)
	h.bound()
}

// entries returns those that keep the newest changes within room bytes.
func (h *History) entries(room int64) []ledger.Entry {
	var kept []ledger.Kept
	h.mu.Lock()
	for _, p := range h.past {
		e := p.kept()
		kept = append(kept, ledger.Kept{Key: e.Key, Value: e.Value})
	}
	h.mu.Unlock()
	return ledger.Newest(ledger.DoChange, kept, room)
}

// forget drops all changes.
func (h *History) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.past, h.bytes = nil, 0
}
