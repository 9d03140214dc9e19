package change

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// remember adds what a batch changed to the history and to what the client has
// read, and returns the history's id; "" when nothing was changed.
func (b *batch) remember() string {
	var made []*fileChange
	for _, c := range b.changes {
		if c.isNoOp() {
			continue
		}
		made = append(made, c)
		if c.action != history.Deleted && !c.done.Merged && (!b.Unseen || b.read(c)) {
			b.env.Reads.NoteEdit(b.env.Client, c.path.Key(), c.afterwards().Key(), c.answered())
		}
	}
	return b.enter(&history.Entry{}, made)
}

// read reports whether the text that a change was made for is the one that the
// caller read last.
func (b *batch) read(c *fileChange) bool {
	h, ok := b.env.LastRead(c.path.Key())
	return ok && h == c.file.Hash
}

// enter adds changes to the history as one.
func (b *batch) enter(p *history.Entry, changes []*fileChange) string {
	if b.env.History == nil || len(changes) == 0 {
		return ""
	}
	p.Tool, p.Client, p.Time = b.Tool, b.env.Client.Name, b.env.Reviews.Now()
	for _, c := range changes {
		p.Files = append(p.Files, c.historyFile(b.env.History))
	}
	id := b.env.History.Add(p)
	b.review(id, changes)
	return id
}

// answered is the hash that the answer gives, with the diff of all that
// changed.
func (c *fileChange) answered() text.Hash {
	if c.laterHash != (text.Hash{}) {
		return c.laterHash
	}
	return c.hash
}

// rememberLeftovers enters what a call that failed left behind, or may still leave,
// so that it can be reverted; the error then tells its id.
func (b *batch) rememberLeftovers(err error) error {
	kind := fault.KindOf(err)
	if kind != fault.OutcomeUnknown && kind != fault.PartiallyApplied {
		return err
	}
	p := &history.Entry{Partial: kind == fault.PartiallyApplied}
	var left []*fileChange
	for _, c := range b.changes {
		inDoubt := c.reached == reachedUnknown && (len(b.changes) == 1 || c.left == stateUnknown && c.action == history.Modified)
		if inDoubt || c.left != "" && c.left != stateUnchanged && c.isApplied(b.env) {
			left = append(left, c)
			p.Unknown = p.Unknown || inDoubt
		}
	}
	id := b.enter(p, left)
	if id == "" {
		return err
	}
	e := *fault.From(err)
	if p.Partial {
		e.Message += "; what it left is " + id
		e.Hint += " revert_edit takes back what it left."
	} else {
		e.Message += "; the edit is " + id
	}
	return e.With("id", id)
}

// isApplied reports whether a change of a call that failed is there. A file that
// was moved and lacks its edits is a move and no more from then on.
func (c *fileChange) isApplied(env *toolcall.Env) bool {
	now := env.Now()
	defer now.Close()
	f, err := now.File(context.Background(), c.afterwards(), "")
	switch {
	case c.action == history.Deleted:
		return fault.KindOf(err) == fault.NotFound
	case err != nil:
		return false
	case c.action == history.Moved && f.Hash == c.file.Hash:
		c.edits, c.fresh, c.hash = nil, c.old, c.file.Hash
		c.done.setDiff(c.diff())
	}
	return true
}

// historyFile is the change as the history has it.
func (c *fileChange) historyFile(h *history.History) history.File {
	f := history.File{Action: c.action, Path: c.path.Key(), To: c.to.Key(), Shown: c.path.Rel, ToShown: c.to.Rel, OldHash: c.file.Hash, NewHash: c.hash, Mode: c.mode, Diff: c.done.Diff}
	if c.open() && !c.modeSet {
		f.Mode.To = 0
	}
	switch c.action {
	case history.Created:
		f.Diff = CutDiff(c.diff(), maxDiff)
	case history.Deleted:
		f.Diff, f.Raw = CutDiff(c.diff(), maxDiff), c.bytes
	case history.Modified, history.Moved:
		if len(c.edits) > 0 {
			h.Texts.Remember(c.path.Key(), f.OldHash, c.old)
			h.Texts.Remember(c.path.Key(), f.NewHash, c.fresh)
		}
		if c.laterHash != (text.Hash{}) && c.done.Saved {
			f.SavedHash = c.laterHash
			h.Texts.Remember(c.path.Key(), f.SavedHash, c.later)
		}
		if c.file.Detected {
			f.Encoding = c.file.Format.Encoding
		}
	}
	return f
}
