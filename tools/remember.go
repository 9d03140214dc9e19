package tools

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// remember adds what a batch changed to the history and to what the client has
// read, and returns the history's id; "" when nothing was changed.
func (b *batch) remember() string {
	var made []*change
	for _, c := range b.changes {
		if c.nothing() {
			continue
		}
		made = append(made, c)
		if c.action != actionDeleted && !c.done.Merged && (!b.unseen || b.read(c)) {
			b.env.Reads.left(b.env.Client, c.path.Key(), c.afterwards().Key(), c.answered())
		}
	}
	return b.enter(&pastChange{}, made)
}

// read reports whether the text that a change was made for is the one that the
// caller read last.
func (b *batch) read(c *change) bool {
	h, ok := b.env.lastRead(c.path.Key())
	return ok && h == c.file.Hash
}

// enter adds changes to the history as one.
func (b *batch) enter(p *pastChange, changes []*change) string {
	if b.env.History == nil || len(changes) == 0 {
		return ""
	}
	p.tool, p.client = b.tool, b.env.Client.Name
	for _, c := range changes {
		p.files = append(p.files, c.past(b.env.History))
	}
	return b.env.History.add(p)
}

// answered is the hash that the answer gives, with the diff of all that
// changed.
func (c *change) answered() text.Hash {
	if c.laterHash != (text.Hash{}) {
		return c.laterHash
	}
	return c.hash
}

// rememberLeft enters what a call that failed left behind, or may still leave,
// so that it can be taken back; the error then tells its id.
func (b *batch) rememberLeft(err error) error {
	kind := fault.KindOf(err)
	if kind != fault.OutcomeUnknown && kind != fault.PartiallyApplied {
		return err
	}
	p := &pastChange{partial: kind == fault.PartiallyApplied}
	var left []*change
	for _, c := range b.changes {
		inDoubt := c.reached == reachedUnknown && (len(b.changes) == 1 || c.left == stateUnknown && c.action == actionModified)
		if inDoubt || c.left != "" && c.left != stateUnchanged && c.landed(b.env) {
			left = append(left, c)
			p.unknown = p.unknown || inDoubt
		}
	}
	id := b.enter(p, left)
	if id == "" {
		return err
	}
	e := *fault.From(err)
	if p.partial {
		e.Message += "; what it left is " + id
		e.Hint += " revert_edit takes back what it left."
	} else {
		e.Message += "; the edit is " + id
	}
	return e.With("id", id)
}

// landed tells whether a change of a call that failed is there. A file that
// was moved and lacks its edits is a move and no more from then on.
func (c *change) landed(env *Env) bool {
	now := env.Now()
	defer now.Close()
	f, err := now.File(context.Background(), c.afterwards(), "")
	switch {
	case c.action == actionDeleted:
		return fault.KindOf(err) == fault.NotFound
	case err != nil:
		return false
	case c.action == actionMoved && f.Hash == c.file.Hash:
		c.edits, c.fresh, c.hash = nil, c.old, c.file.Hash
		c.done.setDiff(c.diff())
	}
	return true
}

// past is the change as the history has it.
func (c *change) past(h *History) pastFile {
	f := pastFile{action: c.action, path: c.path.Key(), to: c.to.Key(), shown: c.path.Rel, toShown: c.to.Rel, old: c.file.Hash, fresh: c.hash, mode: c.mode, diff: c.done.Diff}
	if c.open() && !c.modeSet {
		f.mode.To = 0
	}
	switch c.action {
	case actionCreated:
		f.diff = cutDiff(c.diff(), maxDiff)
	case actionDeleted:
		f.diff, f.raw = cutDiff(c.diff(), maxDiff), c.bytes
	case actionModified, actionMoved:
		if len(c.edits) > 0 {
			h.texts.Remember(c.path.Key(), f.old, c.old)
			h.texts.Remember(c.path.Key(), f.fresh, c.fresh)
		}
		if c.laterHash != (text.Hash{}) && c.done.Saved {
			f.saved = c.laterHash
			h.texts.Remember(c.path.Key(), f.saved, c.later)
		}
		if c.file.Detected {
			f.encoding = c.file.Format.Encoding
		}
	}
	return f
}
