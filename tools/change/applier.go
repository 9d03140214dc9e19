package change

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/history"
)

// applier applies several changes, all of them or none. What can be undone
// best goes last to where it is seen:
//
//	let the editor free names that others need first, see aside.go
//	stage what is on disk: all that can fail does so here
//	edit open documents, one request each
//	let the disk have the new files, reversibly
//	let the editor delete and move the files that it has open
//	set the modes of files that it has open
//	the point of no return; save the documents
//
// A failure undoes what was done before it, see undo.go.
type applier struct {
	*batch
	todo []*fileChange
	disk *atomicfile.Transaction // nil when nothing is changed on disk
	// applied: the disk was given the changes; failed is why it took them back.
	applied bool
	failed  error
	written []atomicfile.Written
	onDisk  []*fileChange // the changes of disk, in order
}

func (l *applier) run(ctx context.Context) error {
	steps := []func(context.Context) error{l.moveAside, l.stage, l.editDocuments, l.applyToDisk, l.moveInEditor, l.setModes, l.commit}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return l.undo(ctx, err)
		}
	}
	l.finish(ctx)
	return nil
}

// stage readies all that is changed on disk. Nothing shows yet.
func (l *applier) stage(context.Context) error {
	for _, c := range l.todo {
		if !c.open() {
			l.onDisk = append(l.onDisk, c)
		}
	}
	if len(l.onDisk) == 0 {
		return nil
	}
	if err := l.stillClosed(); err != nil {
		return err
	}
	l.disk = atomicfile.Begin(l.env.Snapshot.Gate, l.env.Journal)
	for _, c := range l.onDisk {
		if err := c.stage(l.disk); err != nil {
			return c.diskError(err)
		}
	}
	return l.diskError(l.disk.Stage())
}

func (c *fileChange) stage(t *atomicfile.Transaction) (err error) {
	switch {
	case c.action == history.Deleted:
		return t.Delete(c.path, c.file.Hash)
	case c.action == history.Created:
		err = t.Create(c.path, c.bytes)
	case c.action == history.Moved:
		err = t.Move(c.path, c.to, c.file.Hash, c.bytes)
	case len(c.edits) == 0:
		return t.ReplaceMode(c.path, c.file.Hash, c.mode)
	default:
		err = t.Replace(c.path, c.file.Hash, c.bytes)
	}
	if err == nil {
		t.SetMode(c.mode)
	}
	return err
}

// stillClosed makes sure that nobody opened what is changed on disk.
func (l *applier) stillClosed() error {
	now := l.env.Now()
	defer now.Close()
	for _, c := range l.onDisk {
		if err := c.stillClosed(now); err != nil {
			return err
		}
	}
	return nil
}

// diskError completes an error of the transaction with the file that it is
// about.
func (l *applier) diskError(err error) error {
	e := fault.From(err)
	if e == nil {
		return nil
	}
	for _, c := range l.onDisk {
		if e.Path == c.path.Rel {
			return c.diskError(e)
		}
	}
	return e
}

func (l *applier) editDocuments(ctx context.Context) error {
	for _, c := range l.todo {
		if c.open() && c.action == history.Modified && len(c.edits) > 0 {
			if err := c.inEditor(ctx, l.batch); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *applier) applyToDisk(context.Context) error {
	if l.disk == nil {
		return nil
	}
	if err := l.stillClosed(); err != nil {
		return err
	}
	err := l.disk.Apply()
	l.applied = true
	l.failed = err
	for _, c := range l.onDisk {
		l.env.Touched(c.path)
		l.env.Touched(c.afterwards())
	}
	return l.diskError(err)
}

// moveInEditor lets the editor delete and move the files that it has open.
func (l *applier) moveInEditor(ctx context.Context) error {
	for _, c := range l.todo {
		if !c.open() || c.action == history.Modified {
			continue
		}
		var err error
		if c.action == history.Deleted {
			err = l.env.Editor.DeleteFile(ctx, c.file.Document)
		} else {
			err = c.moveInEditor(ctx, l.env)
		}
		c.reach(reachedFile, err)
		if err == nil && len(c.edits) > 0 {
			err = c.editMoved(ctx, l.batch)
		}
		if err != nil {
			return at(err, c.path.Rel)
		}
		l.env.Touched(c.path)
	}
	return nil
}

// editMoved makes the edits of a file that the editor moved: in the document
// of the new name, or on disk when there is none.
func (c *fileChange) editMoved(ctx context.Context, b *batch) error {
	now := b.env.Now()
	defer now.Close()
	f, err := now.File(ctx, c.to, "")
	if err != nil {
		return err
	}
	if f.Source == buffers.FromDisk {
		raw, err := c.file.Format.Encode(c.fresh)
		if err == nil {
			_, err = atomicfile.Replace(b.env.Snapshot.Gate, b.env.Journal, c.to, c.file.Hash, raw)
		}
		if err == nil {
			c.done.Source = buffers.FromDisk
		}
		return err
	}
	if !f.Document.Text.Equal(c.old) {
		return stale(c.to.Rel, c.file.Hash.String(), f.Hash.String())
	}
	version, err := b.env.Editor.Apply(ctx, f.Document, c.edits, "agent-lsp: "+b.Tool)
	if err == nil {
		c.moved, c.version = f, version
	}
	return err
}

// commit is the point of no return.
func (l *applier) commit(context.Context) (err error) {
	if l.disk == nil {
		return nil
	}
	l.written, err = l.disk.Commit()
	l.failed = err
	return l.diskError(err)
}

// finish saves, and lets each change tell what is there now.
func (l *applier) finish(ctx context.Context) {
	for i, w := range l.written {
		c := l.onDisk[i]
		c.done.Saved, c.done.Notes = true, append(c.done.Notes, w.Notes...)
	}
	for _, c := range l.todo {
		switch {
		case !c.open():
		case c.action == history.Modified && len(c.edits) == 0:
			c.done.Saved = !c.file.Dirty
		case c.action == history.Modified:
			c.saveInEditor(ctx, l.batch, c.file)
			c.describeAfter(ctx, l.env)
		case c.action == history.Deleted:
			c.done.Saved = true
		case c.moved != nil:
			c.saveInEditor(ctx, l.batch, c.moved)
			c.describeAfter(ctx, l.env)
		default:
			c.done.Saved = true
		}
	}
}
