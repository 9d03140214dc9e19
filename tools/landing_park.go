package tools

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// park has the editor give open files that stand in the way of others another
// name, in the same folder and with the same ending.
func (l *landing) park(ctx context.Context) error {
	for _, c := range l.todo {
		if !c.parks {
			continue
		}
		p := l.env.Snapshot.Gate.Aside(c.path)
		if err := l.env.Snapshot.Gate.CheckWrite(p); err != nil {
			return at(err, c.path.Rel)
		}
		c.parked = p
		err := l.env.Editor.MoveFile(ctx, c.file.Document, p)
		c.reach(reachedFile, err)
		if err != nil {
			return at(err, c.path.Rel)
		}
		l.env.touched(c.path)
	}
	return nil
}

// moveInEditor has the editor move the file to its new name.
func (c *change) moveInEditor(ctx context.Context, env *Env) error {
	d := c.file.Document
	if c.parks {
		now := env.Now()
		defer now.Close()
		if d = now.Overlay.Get(c.parked.Key()); d == nil {
			return fault.New(fault.StaleFile, "the document was closed meanwhile; nothing was changed").Advise("Call again.")
		}
	}
	err := env.Editor.MoveFile(ctx, d, c.to)
	if c.parks {
		env.touched(c.parked)
	}
	return err
}

// undoToParked brings a file that was parked back to there, until its own name
// is free again.
func (c *change) undoToParked(ctx context.Context, b *batch) fileState {
	if b.env.isThere(c.parked) || c.reached == reachedUnknown && c.onDiskNow(b.env) == stateUnchanged {
		return stateChanged // unpark goes on
	}
	err := c.moveBack(ctx, b, c.to, c.parked)
	b.env.touched(c.to)
	if err != nil {
		c.reached = reachedNothing // it is where it was to go
	}
	return stateChanged
}

// unpark gives the files that were parked their names back, when all others
// have theirs.
func (l *landing) unpark(ctx context.Context) {
	for _, c := range slices.Backward(l.todo) {
		if !c.parks || c.reached == reachedNothing {
			continue
		}
		inDoubt := c.reached == reachedUnknown
		if l.env.isThere(c.parked) {
			inDoubt = false
			_ = c.moveBack(ctx, l.batch, c.parked, c.path) // how it went is looked at
			l.env.touched(c.path)
		}
		if c.left = c.onDiskNow(l.env); inDoubt && c.left == stateUnchanged {
			c.left = stateUnknown // it may still be moved
		}
	}
}

// isThere tells whether there is a file of that path.
func (e *Env) isThere(p workspace.Path) bool {
	_, err := e.Snapshot.Gate.Stat(p)
	return err == nil
}
