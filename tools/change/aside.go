package change

import (
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// moveAside has the editor give open files that stand in the way of others another
// name, in the same folder and with the same ending.
func (l *applier) moveAside(ctx context.Context) error {
	for _, c := range l.todo {
		if !c.movesAside {
			continue
		}
		p := l.env.Snapshot.Gate.Aside(c.path)
		if err := l.env.Snapshot.Gate.CheckWrite(p); err != nil {
			return at(err, c.path.Rel)
		}
		c.aside = p
		err := l.env.Editor.MoveFile(ctx, c.file.Document, p)
		c.reach(reachedFile, err)
		if err != nil {
			return at(err, c.path.Rel)
		}
		l.env.Touched(c.path)
	}
	return nil
}

// moveInEditor has the editor move the file to its new name.
func (c *fileChange) moveInEditor(ctx context.Context, env *toolcall.Env) error {
	d := c.file.Document
	if c.movesAside {
		now := env.Now()
		defer now.Close()
		if d = now.Overlay.Get(c.aside.Key()); d == nil {
			return fault.New(fault.StaleFile, "the document was closed meanwhile; nothing was changed").Advise("Call again.")
		}
	}
	err := env.Editor.MoveFile(ctx, d, c.to)
	if c.movesAside {
		env.Touched(c.aside)
	}
	return err
}

// undoToAside moves a file that was moved aside back there, until its own name
// is free again.
func (c *fileChange) undoToAside(ctx context.Context, b *batch) fileState {
	if isThere(b.env, c.aside) || c.reached == reachedUnknown && c.onDiskNow(b.env) == stateUnchanged {
		return stateChanged // moveBackFromAside goes on
	}
	err := c.moveBack(ctx, b, c.to, c.aside)
	b.env.Touched(c.to)
	if err != nil {
		c.reached = reachedNothing // it is where it was to go
	}
	return stateChanged
}

// moveBackFromAside gives the files that were moved aside their names back, when all others
// have theirs.
func (l *applier) moveBackFromAside(ctx context.Context) {
	for _, c := range slices.Backward(l.todo) {
		if !c.movesAside || c.reached == reachedNothing {
			continue
		}
		inDoubt := c.reached == reachedUnknown
		if isThere(l.env, c.aside) {
			inDoubt = false
			_ = c.moveBack(ctx, l.batch, c.aside, c.path) // how it went is looked at
			l.env.Touched(c.path)
		}
		if c.left = c.onDiskNow(l.env); inDoubt && c.left == stateUnchanged {
			c.left = stateUnknown // it may still be moved
		}
	}
}

// isThere reports whether there is a file of that path.
func isThere(e *toolcall.Env, p workspace.Path) bool {
	_, err := e.Snapshot.Gate.Stat(p)
	return err == nil
}
