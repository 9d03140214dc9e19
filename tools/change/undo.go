package change

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// fileState says what became of a file of a call that failed.
type fileState string

const (
	stateUnchanged fileState = "unchanged" // as it was before the call
	stateChanged   fileState = "changed"   // it has the change, or more than that
	stateUnknown   fileState = "unknown"
)

// undo puts back what was done before cause, last things first. When all of it
// is as before, the error is cause; else partially_applied, which tells how
// each file stands.
func (l *applier) undo(ctx context.Context, cause error) error {
	if c := l.todo[0]; len(l.changes) == 1 && l.disk == nil && c.action == history.Modified && c.reached != reachedText {
		return cause
	}
	l.undoModes()
	for _, c := range slices.Backward(l.todo) {
		if c.open() && c.action != history.Modified && c.reached != reachedNothing {
			c.left = c.undoFile(ctx, l.batch)
		}
	}
	l.undoDisk()
	l.moveBackFromAside(ctx)
	for _, c := range slices.Backward(l.todo) {
		if c.open() && c.action == history.Modified && c.reached != reachedNothing {
			c.left = c.undoText(ctx, l.batch, c.path)
		}
	}
	for _, c := range l.todo {
		if c.modeSet {
			c.left = stateChanged
		}
	}
	return l.verdict(cause)
}

// undoDisk rolls the disk back. Where that fails it is the disk that tells
// how each file stands.
func (l *applier) undoDisk() {
	var err error
	if l.disk != nil {
		err = l.disk.Rollback()
	}
	if fault.KindOf(l.failed) == fault.PartiallyApplied {
		err = l.failed
	}
	for _, c := range l.onDisk {
		if l.applied {
			l.env.Touched(c.path)
			l.env.Touched(c.afterwards())
		}
		if err != nil {
			c.left = c.onDiskNow(l.env)
		}
	}
}

// onDiskNow looks whether a file on disk is as before the call.
func (c *fileChange) onDiskNow(env *toolcall.Env) fileState {
	now := env.Now()
	defer now.Close()
	f, err := now.File(context.Background(), c.path, "")
	gone := fault.KindOf(err) == fault.NotFound
	switch {
	case c.action == history.Created && gone:
		return stateUnchanged
	case c.action == history.Created && err == nil, gone:
		return stateChanged
	case err != nil:
		return stateUnknown
	case f.Hash == c.file.Hash && !c.hasMode(env):
		return stateUnchanged
	}
	return stateChanged
}

// undoText takes the edits back from the document that is open at a path, if
// nobody typed there since.
func (c *fileChange) undoText(ctx context.Context, b *batch, at workspace.Path) fileState {
	now := b.env.Now()
	defer now.Close()
	d := now.Overlay.Get(at.Key())
	if d == nil {
		return c.onDiskNow(b.env)
	}
	switch {
	case d.OutOfSync != "":
		return stateUnknown
	case d.Text.Equal(c.old):
		if c.reached == reachedUnknown {
			return stateUnknown // the edit may still come
		}
		return stateUnchanged
	case !d.Text.Equal(c.fresh) && c.reached == reachedUnknown:
		return stateUnknown
	case !d.Text.Equal(c.fresh):
		return stateChanged
	}
	if _, err := b.env.Editor.Apply(ctx, d, inverse(c.old, c.edits), "agent-lsp: "+b.Tool+", taken back"); err != nil {
		if fault.KindOf(err) == fault.OutcomeUnknown {
			return stateUnknown
		}
		return stateChanged
	}
	return c.undoSave(ctx, b, at)
}

// undoSave saves a document that was clean before the call, and that the
// editor saved meanwhile with the edits which are undone now.
func (c *fileChange) undoSave(ctx context.Context, b *batch, at workspace.Path) fileState {
	after := b.env.Now()
	defer after.Close()
	f, err := after.File(ctx, at, "")
	if err != nil || c.file.Dirty || f.DiskHash == nil || *f.DiskHash != c.hash {
		return stateUnchanged
	}
	if !b.env.Editor.CanSave() {
		return stateChanged
	}
	if saved, err := b.env.Editor.Save(ctx, f.Document); err != nil || !saved {
		return stateChanged
	}
	return stateUnchanged
}

// inverse returns the edits of the edited text that give old again.
func inverse(old text.Text, edits []diff.Edit) []diff.Edit {
	back := make([]diff.Edit, len(edits))
	shift := 0
	for i, e := range edits {
		start := e.Span.Start + shift
		back[i] = diff.Edit{Span: text.Span{Start: start, End: start + len(e.New)}, New: old.Slice(e.Span)}
		shift += len(e.New) - e.Span.Len()
	}
	return back
}

// undoFile brings back a file that the editor deleted or moved.
func (c *fileChange) undoFile(ctx context.Context, b *batch) fileState {
	if c.movesAside {
		return c.undoToAside(ctx, b)
	}
	if c.onDiskNow(b.env) == stateUnchanged {
		if c.reached == reachedUnknown {
			return stateUnknown
		}
		return stateUnchanged
	}
	var err error
	if c.action == history.Deleted {
		err = c.createAgain(b)
	} else {
		err = c.moveBack(ctx, b, c.to, c.path)
	}
	b.env.Touched(c.path)
	b.env.Touched(c.afterwards())
	if err != nil {
		return stateChanged
	}
	return c.onDiskNow(b.env)
}

func (c *fileChange) createAgain(b *batch) error {
	if c.bytes == nil {
		return fault.New(fault.FileTooLarge, "the file was not kept")
	}
	return atOnce(b.env, func(t *atomicfile.Transaction) error {
		err := t.Create(c.path, c.bytes)
		if err == nil {
			t.SetMode(atomicfile.ModeChange{To: c.mode.From})
		}
		return err
	})
}

// atOnce makes changes on disk, all or none.
func atOnce(e *toolcall.Env, want func(*atomicfile.Transaction) error) error {
	t := atomicfile.Begin(e.Snapshot.Gate, e.Journal)
	defer t.Rollback() //nolint:errcheck // after an error that is told
	if err := want(t); err != nil {
		return err
	}
	if err := t.Stage(); err != nil {
		return err
	}
	if err := t.Apply(); err != nil {
		return err
	}
	_, err := t.Commit()
	return err
}

// moveBack moves a file back to an earlier name, once it holds its old text
// again.
func (c *fileChange) moveBack(ctx context.Context, b *batch, from, to workspace.Path) error {
	if from.Key() == c.to.Key() && len(c.edits) > 0 && isOpen(b.env, from) && c.undoText(ctx, b, from) != stateUnchanged {
		return typedSince
	}
	now := b.env.Now()
	defer now.Close()
	if d := now.Overlay.Get(from.Key()); d != nil {
		if !d.Text.Equal(c.file.Document.Text) {
			return typedSince
		}
		return b.env.Editor.MoveFile(ctx, d, to)
	}
	return c.moveBackOnDisk(b.env, from, to)
}

// moveBackOnDisk moves a file back that the editor has not open any more.
func (c *fileChange) moveBackOnDisk(env *toolcall.Env, from, to workspace.Path) error {
	guard, raw := c.file.Hash, []byte(nil)
	if c.done.Source == buffers.FromDisk { // its edits were made there
		var err error
		if raw, err = c.file.Format.Encode(c.old); err != nil {
			return err
		}
		guard = c.hash
	}
	err := atOnce(env, func(t *atomicfile.Transaction) error { return t.Move(from, to, guard, raw) })
	if err == nil {
		c.done.Source = c.file.Source // the edits are gone
	}
	return err
}

// isOpen reports whether the editor has a document of that path now.
func isOpen(e *toolcall.Env, p workspace.Path) bool {
	now := e.Now()
	defer now.Close()
	return now.Overlay.Get(p.Key()) != nil
}

var typedSince = fault.New(fault.StaleFile, "the text changed since")

// verdict is the error of a call that failed and was undone.
func (l *applier) verdict(cause error) error {
	e := fault.From(cause)
	var left, files []map[string]any
	for _, c := range l.changes {
		state := cmp.Or(c.left, stateUnchanged)
		entry := map[string]any{"path": c.path.Rel, "state": string(state)}
		if c.action == history.Moved {
			entry["to"] = c.to.Rel
		}
		if isThere(l.env, c.aside) {
			entry["now"] = c.aside.Rel
		}
		if files = append(files, entry); state != stateUnchanged {
			left = append(left, entry)
		}
	}
	switch {
	case len(left) == 0 && e.Kind == fault.OutcomeUnknown:
		return fault.New(fault.NotApplied, "%s; all files are as they were", e.Message).At(e.Path).Advise("Try again.")
	case len(left) == 0, len(l.changes) == 1 && (l.disk != nil || e.Kind == fault.OutcomeUnknown):
		return e
	}
	stand := make([]string, len(files))
	for i, entry := range files {
		stand[i] = fmt.Sprintf("%s is %s", wording.OneLine(l.changes[i].shown()), entry["state"])
		if entry["now"] != nil {
			stand[i] += fmt.Sprintf(" and now %s", entry["now"])
		}
	}
	return fault.New(fault.PartiallyApplied, "%s (%s); not all could be taken back: %s", strings.TrimSuffix(e.Message, "; nothing was changed"), e.Kind, strings.Join(stand, ", ")).At(e.Path).
		Advise("Read the files that are not unchanged, and settle what they should hold; the others are as they were.").
		With("cause", string(e.Kind)).With("files", files)
}
