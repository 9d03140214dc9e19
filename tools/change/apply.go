package change

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// apply makes all changes, or none, and lets each tell what is there
// afterwards.
func (b *batch) apply(ctx context.Context) error {
	var todo []*fileChange
	for _, c := range b.inOrder {
		if !c.isNoOp() && !b.DryRun {
			todo = append(todo, c)
		}
	}
	if len(todo) == 0 {
		b.saveUnchanged(ctx)
		return nil
	}
	for _, c := range todo {
		if c.action != history.Deleted && c.old.Len()+c.fresh.Len() > 0 {
			b.env.Texts.Remember(c.afterwards().Key(), c.hash, c.fresh)
		}
	}
	if c := todo[0]; len(todo) == 1 && !c.open() && c.mode.IsNone() && (c.action == history.Modified || c.action == history.Created) {
		return c.onDisk(b.env) // one exchange is whole by itself
	}
	l := applier{batch: b, todo: todo}
	return l.run(ctx)
}

// saveUnchanged saves the open documents of a call that changes nothing, where it
// asks for that.
func (b *batch) saveUnchanged(ctx context.Context) {
	if b.DryRun || b.Save != SaveAlways {
		return
	}
	for _, c := range b.changes {
		if c.open() && c.file.Dirty && b.env.Editor != nil {
			c.saveAfter(ctx, b.env, c.file)
		}
	}
}

// afterwards is the path of the file when the change is made.
func (c *fileChange) afterwards() workspace.Path {
	if c.action == history.Moved {
		return c.to
	}
	return c.path
}

// stillClosed makes sure that nobody opened a file that is to be changed on
// disk.
func (c *fileChange) stillClosed(now *buffers.Snapshot) error {
	if now.Overlay.Get(c.path.Key()) != nil || c.file.Real != "" && now.OpenAs(c.file.Real, c.file.ID) != nil {
		return fault.New(fault.StaleFile, "the file was opened in the editor meanwhile; nothing was changed").
			At(c.path.Rel).Advise("Call again: the edit then lands in the editor.")
	}
	return nil
}

// onDisk writes one file.
func (c *fileChange) onDisk(env *toolcall.Env) (err error) {
	now := env.Now()
	defer now.Close()
	if err := c.stillClosed(now); err != nil {
		return err
	}
	var written atomicfile.Written
	if c.action == history.Created {
		written, err = atomicfile.Create(env.Snapshot.Gate, env.Journal, c.path, c.bytes)
	} else {
		written, err = atomicfile.Replace(env.Snapshot.Gate, env.Journal, c.path, c.file.Hash, c.bytes)
	}
	env.Touched(c.path)
	if err != nil {
		return c.diskError(err)
	}
	c.done.Saved, c.done.Notes = true, append(c.done.Notes, written.Notes...)
	return nil
}

// diskError completes an error of the disk.
func (c *fileChange) diskError(err error) error {
	e := fault.From(err)
	if actual, _ := e.Details["actual"].(string); e.Kind == fault.StaleFile && actual != "" {
		return stale(c.path.Rel, c.file.Hash.String(), actual)
	}
	return e.At(c.path.Rel)
}

// inEditor makes the edits of an open document.
func (c *fileChange) inEditor(ctx context.Context, b *batch) error {
	version, err := b.env.Editor.Apply(ctx, c.file.Document, c.edits, "agent-lsp: "+b.Tool)
	c.reach(reachedText, err)
	if err != nil {
		return c.explain(ctx, b.env, err)
	}
	c.version = version
	return nil
}

// reach notes what the editor did, when it was asked for it and answered err.
func (c *fileChange) reach(asked reached, err error) {
	switch {
	case err == nil:
		c.reached = asked
	case fault.KindOf(err) == fault.OutcomeUnknown:
		c.reached = reachedUnknown
	}
}

// saveInEditor saves the document of f, to which the edits were applied, where the
// call wants that.
func (c *fileChange) saveInEditor(ctx context.Context, b *batch, f *buffers.File) {
	env, save := b.env, b.saveMode(b.env)
	switch {
	case save == SaveAlways || save == SaveAuto && c.mayAutoSave(env, f):
		c.saveAfter(ctx, env, f)
	case save == SaveAuto && f.DiskChanged:
		c.note("Not saved: the file on disk is another than the editor's; the person has to decide.")
	}
}

func (c *fileChange) note(sentence string) { c.done.Notes = append(c.done.Notes, sentence) }

// mayAutoSave: only what was on disk as it stood in the editor, and only the
// edit's own state.
func (c *fileChange) mayAutoSave(env *toolcall.Env, f *buffers.File) bool {
	now := env.Now()
	defer now.Close()
	d := now.Overlay.Get(f.Document.Key())
	return !f.Path.Untitled() && !f.Dirty && !f.DiskChanged && !f.Altered && env.Editor.CanSave() &&
		d != nil && d.Version == c.version && d.Text.Equal(c.fresh)
}

func (c *fileChange) saveAfter(ctx context.Context, env *toolcall.Env, f *buffers.File) {
	saved, err := env.Editor.Save(ctx, f.Document)
	switch {
	case err != nil:
		c.note("The edit is in the editor but was not saved: " + fault.From(err).Message + ".")
	case !saved:
		c.note("The edit is in the editor; the editor did not save it.")
	}
	c.done.Saved = saved && err == nil
}

// describeAfter describes the document as it is now, with what a
// formatter or the person made of it since.
func (c *fileChange) describeAfter(ctx context.Context, env *toolcall.Env) {
	env.Refresh()
	if d := env.Snapshot.Overlay.Get(c.file.Document.Key()); d != nil && d.Text.Equal(c.fresh) {
		d.LearnHash(c.file.Format, c.hash) // hashing costs more than all else here
	}
	f, err := env.Snapshot.File(ctx, c.afterwards(), "")
	if err != nil {
		c.note("The edit landed, but the file cannot be looked at any more: " + fault.From(err).Message + ".")
		return
	}
	c.done.ContentHash = f.Hash.String()
	c.done.Saved = c.done.Saved || f.Source == buffers.FromDisk || f.DiskHash != nil && *f.DiskHash == f.Hash
	now, err := toolcall.WholeText(f)
	if err != nil || now.Equal(c.fresh) {
		return
	}
	c.later, c.laterHash = now, f.Hash
	env.Texts.Remember(f.Path.Key(), f.Hash, now)
	edits := diff.Compute(c.old.String(), now.String())
	c.done.setDiff(c.modeLines() + diff.Unified(f.Path.Rel, c.old, edits, toolcall.DiffContext))
	c.note("The text changed further after the edit; diff and hash are of the text as it is now.")
}

// explain completes what the editor's refusal means: with the present hash,
// and with what changed since the text that the edit was made for.
func (c *fileChange) explain(ctx context.Context, env *toolcall.Env, err error) error {
	e := fault.From(err).At(c.path.Rel)
	now := env.Now()
	defer now.Close()
	f, ferr := now.File(ctx, c.path, "")
	if ferr != nil {
		return e
	}
	e = e.With("expected", c.file.Hash.String()).With("actual", f.Hash.String())
	present, terr := toolcall.WholeText(f)
	if terr != nil || present.Equal(c.old) {
		return e
	}
	since := diff.Unified(f.Path.Rel, c.old, diff.Compute(c.old.String(), present.String()), toolcall.DiffContext)
	if len(since) > maxErrorDiff {
		return e
	}
	return e.With("diff", since)
}

// maxErrorDiff is the longest diff that an error carries, in bytes.
const maxErrorDiff = 8 << 10
