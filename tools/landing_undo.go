package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// fileState tells what became of a file of a call that failed.
type fileState string

const (
	stateUnchanged fileState = "unchanged" // as it was before the call
	stateChanged   fileState = "changed"   // it has the change, or more than that
	stateUnknown   fileState = "unknown"
)

// undo puts back what was done before cause, last things first. When all of it
// is as before, the error is cause; else partially_applied, which tells how
// each file stands.
func (l *landing) undo(ctx context.Context, cause error) error {
	if len(l.changes) == 1 && l.disk == nil {
		return cause
	}
	states := make(map[*change]fileState, len(l.todo))
	for _, c := range slices.Backward(l.todo) {
		if c.open() && c.action != actionModified && c.reached != reachedNothing {
			states[c] = c.undoFile(ctx, l.env)
		}
	}
	l.undoDisk(states)
	for _, c := range slices.Backward(l.todo) {
		if c.open() && c.action == actionModified && c.reached != reachedNothing {
			states[c] = c.undoText(ctx, l.batch)
		}
	}
	return l.verdict(cause, states)
}

// undoDisk rolls the disk back. Where that fails it is the disk that tells
// how each file stands.
func (l *landing) undoDisk(states map[*change]fileState) {
	var err error
	if l.disk != nil {
		err = l.disk.Rollback()
	}
	if fault.KindOf(l.failed) == fault.PartiallyApplied {
		err = l.failed
	}
	for _, c := range l.onDisk {
		if l.applied {
			l.env.touched(c.path)
			l.env.touched(c.afterwards())
		}
		if err != nil {
			states[c] = c.onDiskNow(l.env)
		}
	}
}

// onDiskNow looks whether a file on disk is as before the call.
func (c *change) onDiskNow(env *Env) fileState {
	now := env.Now()
	defer now.Close()
	f, err := now.File(context.Background(), c.path, "")
	gone := fault.KindOf(err) == fault.NotFound
	switch {
	case c.action == actionCreated && gone:
		return stateUnchanged
	case c.action == actionCreated && err == nil, gone:
		return stateChanged
	case err != nil:
		return stateUnknown
	case f.Hash == c.file.Hash:
		return stateUnchanged
	}
	return stateChanged
}

// undoText takes the edits back from an open document, if nobody typed there
// since.
func (c *change) undoText(ctx context.Context, b *batch) fileState {
	now := b.env.Now()
	defer now.Close()
	d := now.Overlay.Get(c.file.Document.Key())
	if d == nil {
		return c.onDiskNow(b.env)
	}
	switch {
	case d.Unsure != "":
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
	if _, err := b.env.Editor.Apply(ctx, d, inverse(c.old, c.edits), "agent-lsp: "+b.tool+", taken back"); err != nil {
		if fault.KindOf(err) == fault.OutcomeUnknown {
			return stateUnknown
		}
		return stateChanged
	}
	return c.undoSave(ctx, b)
}

// undoSave saves a document that was clean before the call, and that the
// editor saved meanwhile with the edits which are taken back now.
func (c *change) undoSave(ctx context.Context, b *batch) fileState {
	after := b.env.Now()
	defer after.Close()
	f, err := after.File(ctx, c.path, "")
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
func (c *change) undoFile(ctx context.Context, env *Env) fileState {
	now := env.Now()
	defer now.Close()
	if c.onDiskNow(env) == stateUnchanged {
		if c.reached == reachedUnknown {
			return stateUnknown
		}
		return stateUnchanged
	}
	err := c.bringBack(ctx, env, now)
	env.touched(c.path)
	if err != nil {
		return stateChanged
	}
	return c.onDiskNow(env)
}

func (c *change) bringBack(ctx context.Context, env *Env, now *buffers.Snapshot) error {
	gate := env.Snapshot.Gate
	if c.action == actionDeleted {
		if c.bytes == nil {
			return fault.New(fault.FileTooLarge, "the file was not kept")
		}
		_, err := gate.Create(c.path, c.bytes)
		return err
	}
	if d := now.Overlay.Get(c.to.Key()); d != nil {
		if !d.Text.Equal(c.old) {
			return typedSince
		}
		return env.Editor.MoveFile(ctx, d, c.path)
	}
	t := gate.Begin(env.Journal)
	defer t.Rollback() //nolint:errcheck // after an error that is told
	if err := t.Move(c.to, c.path, c.file.Hash, nil); err != nil {
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

var typedSince = fault.New(fault.StaleFile, "the text changed since")

// verdict is the error of a call that failed and was undone.
func (l *landing) verdict(cause error, states map[*change]fileState) error {
	e := fault.From(cause)
	var left, files []map[string]any
	for _, c := range l.changes {
		state, touched := states[c]
		if !touched {
			state = stateUnchanged
		}
		entry := map[string]any{"path": c.path.Rel, "state": string(state)}
		if files = append(files, entry); state != stateUnchanged {
			left = append(left, entry)
		}
	}
	switch {
	case len(left) == 0 && e.Kind == fault.OutcomeUnknown:
		return fault.New(fault.NotApplied, "%s; all files are as they were", e.Message).At(e.Path).Advise("Try again.")
	case len(left) == 0 || len(l.changes) == 1:
		return e
	}
	stand := make([]string, len(files))
	for i, entry := range files {
		stand[i] = fmt.Sprintf("%s is %s", oneLine(entry["path"].(string)), entry["state"])
	}
	return fault.New(fault.PartiallyApplied, "%s (%s); not all could be taken back: %s", strings.TrimSuffix(e.Message, "; nothing was changed"), e.Kind, strings.Join(stand, ", ")).At(e.Path).
		Advise("Read the files that are not unchanged, and settle what they should hold; the others are as they were.").
		With("cause", string(e.Kind)).With("files", files)
}
