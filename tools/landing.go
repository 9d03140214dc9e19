package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// change is edits of one file on their way.
type change struct {
	file  *buffers.File
	old   text.Text
	edits []diff.Edit // of old; after prepare each as small as it can be

	action changeAction
	done   changedFile

	fresh text.Text // old with the edits
	bytes []byte    // fresh as it is written; nil for open documents
	hash  text.Hash // of these bytes
}

// prepare works out the new text and its bytes. Errors are encoding_error, for
// a character that the file's encoding cannot hold or, where that encoding was
// only guessed, for any that is not ASCII.
func (c *change) prepare() error {
	edits := make([]diff.Edit, 0, len(c.edits))
	for _, e := range c.edits {
		if e, changes := diff.Minimal(c.old, e); changes {
			edits = append(edits, e)
		}
	}
	c.edits = edits
	c.fresh = diff.Apply(c.old, edits)
	if err := c.staysText(); err != nil {
		return err
	}
	if c.file.Detected {
		if err := onlyASCII(edits); err != nil {
			return err
		}
	}
	var err error
	if c.file.Source == buffers.FromBuffer {
		c.hash, err = c.file.Format.Hash(c.fresh)
		return err
	}
	if c.bytes, err = c.file.Format.Encode(c.fresh); err == nil {
		c.hash = text.HashBytes(c.bytes)
	}
	return err
}

// staysText refuses what would make the file another kind of file: a NUL
// makes it binary, and a mark at its beginning is taken for one.
func (c *change) staysText() error {
	for _, e := range c.edits {
		if strings.Contains(e.New, "\x00") {
			return fault.New(fault.EncodingError, "the new text holds a NUL character, which would make the file a binary one")
		}
	}
	const mark = "\uFEFF"
	first := text.Span{End: len(mark)}
	if c.fresh.Slice(first) == mark && c.old.Slice(first) != mark {
		return fault.New(fault.EncodingError, "the new text would begin the file with a byte-order mark")
	}
	return nil
}

func onlyASCII(edits []diff.Edit) error {
	for _, e := range edits {
		for _, r := range e.New {
			if r >= 0x80 {
				return fault.New(fault.EncodingError, "the file's encoding was only guessed, and the new text holds %q", r).
					Advise(`Name the encoding with "encoding", or use ASCII only.`).With("character", string(r))
			}
		}
	}
	return nil
}

// maxDiff is the longest diff in an answer, in bytes.
const maxDiff = 32 << 10

// setDiff sets the diff, cut at a line when it is too long for an answer.
func (f *changedFile) setDiff(d string) {
	if f.Diff = d; len(d) <= maxDiff {
		return
	}
	f.Diff = d[:strings.LastIndexByte(d[:maxDiff], '\n')+1]
	f.Notes = append(f.Notes, fmt.Sprintf("The diff is cut: %d of %d bytes are shown.", len(f.Diff), len(d)))
}

// landOne makes a change where the file lives and describes what is there
// afterwards.
func (b *batch) landOne(ctx context.Context, c *change) error {
	c.describe()
	switch {
	case c.done.Action == actionUnchanged:
		return nil
	case b.dryRun:
		return nil
	}
	b.env.Texts.Remember(c.file.Path.Key(), c.hash, c.fresh)
	if c.file.Source == buffers.FromBuffer {
		return c.inEditor(ctx, b.env, b.saveMode(b.env), &c.done)
	}
	if c.action == actionCreated {
		return c.create(b.env)
	}
	return c.onDisk(b.env, &c.done)
}

// describe tells of the change what is known before it is made.
func (c *change) describe() {
	f, d := c.file, &c.done
	d.Path, d.Action, d.Source, d.ContentHash = f.Path.Rel, c.action, f.Source, c.hash.String()
	if c.action == actionCreated {
		return
	}
	d.PreviousHash = f.Hash.String()
	d.setDiff(diff.Unified(f.Path.Rel, c.old, c.edits, diffContext))
	if len(c.edits) == 0 {
		d.Action, d.ContentHash, d.Saved = actionUnchanged, f.Hash.String(), !f.Dirty
	}
}

// create makes a new file on disk.
func (c *change) create(env *Env) error {
	written, err := env.Snapshot.Gate.Create(c.file.Path, c.bytes)
	if env.Catalog != nil {
		env.Catalog.Touched(c.file.Path)
	}
	if err != nil {
		return fault.From(err).At(c.file.Path.Rel)
	}
	c.done.Saved, c.done.Notes = true, append(c.done.Notes, written.Notes...)
	return nil
}

func (c *change) onDisk(env *Env, done *changedFile) error {
	now := env.Now()
	defer now.Close()
	if now.Overlay.Get(c.file.Path.Key()) != nil || now.OpenAs(c.file.Real, c.file.ID) != nil {
		return fault.New(fault.StaleFile, "the file was opened in the editor meanwhile; nothing was changed").
			At(c.file.Path.Rel).Advise("Call again: the edit then lands in the editor.")
	}
	written, err := env.Snapshot.Gate.Replace(c.file.Path, c.file.Hash, c.bytes)
	if env.Catalog != nil {
		env.Catalog.Touched(c.file.Path)
	}
	if e := fault.From(err); e != nil && e.Kind == fault.StaleFile {
		actual, _ := e.Details["actual"].(string)
		return stale(c.file.Path.Rel, c.file.Hash.String(), actual)
	}
	if err != nil {
		return fault.From(err).At(c.file.Path.Rel)
	}
	done.Saved, done.Notes = true, append(done.Notes, written.Notes...)
	return nil
}

func (c *change) inEditor(ctx context.Context, env *Env, save saveMode, done *changedFile) error {
	version, err := env.Editor.Apply(ctx, c.file.Document, c.edits, "agent-lsp: edit_file")
	if err != nil {
		return c.explain(ctx, env, err)
	}
	switch {
	case save == saveAlways || save == saveAuto && c.mayAutoSave(env, version):
		c.saveAfter(ctx, env, done)
	case save == saveAuto && c.file.DiskChanged:
		done.Notes = append(done.Notes, "Not saved: the file on disk is another than the editor's; the person has to decide.")
	}
	return c.describeAfter(ctx, env, done)
}

// mayAutoSave: only what was on disk as it stood in the editor, and only the
// edit's own state.
func (c *change) mayAutoSave(env *Env, version int32) bool {
	now := env.Now()
	defer now.Close()
	d := now.Overlay.Get(c.file.Document.Key())
	return !c.file.Path.Untitled() && !c.file.Dirty && !c.file.DiskChanged && !c.file.Altered && env.Editor.CanSave() &&
		d != nil && d.Version == version && d.Text.Equal(c.fresh)
}

func (c *change) saveAfter(ctx context.Context, env *Env, done *changedFile) {
	saved, err := env.Editor.Save(ctx, c.file.Document)
	switch {
	case err != nil:
		done.Notes = append(done.Notes, "The edit is in the editor but was not saved: "+fault.From(err).Message+".")
	case !saved:
		done.Notes = append(done.Notes, "The edit is in the editor; the editor did not save it.")
	}
	done.Saved = saved && err == nil
}

// describeAfter tells the truth about the document as it is now, with what a
// formatter or the person made of it since.
func (c *change) describeAfter(ctx context.Context, env *Env, done *changedFile) error {
	env.refresh()
	f, err := env.Snapshot.File(ctx, c.file.Path, "")
	if err != nil {
		done.Notes = append(done.Notes, "The edit landed, but the file cannot be looked at any more: "+fault.From(err).Message+".")
		return nil
	}
	done.ContentHash = f.Hash.String()
	now, err := wholeText(f)
	if err != nil || now.Equal(c.fresh) {
		return nil
	}
	edits := diff.Compute(c.old.String(), now.String())
	done.setDiff(diff.Unified(f.Path.Rel, c.old, edits, diffContext))
	done.Notes = append(done.Notes, "The text changed further after the edit; diff and hash are of the text as it is now.")
	return nil
}

// explain completes what the editor's refusal means: with the present hash,
// and with what changed since the text that the edit was made for.
func (c *change) explain(ctx context.Context, env *Env, err error) error {
	e := fault.From(err).At(c.file.Path.Rel)
	now := env.Now()
	defer now.Close()
	f, ferr := now.File(ctx, c.file.Path, "")
	if ferr != nil {
		return e
	}
	e = e.With("expected", c.file.Hash.String()).With("actual", f.Hash.String())
	present, terr := wholeText(f)
	if terr != nil || present.Equal(c.old) {
		return e
	}
	since := diff.Unified(f.Path.Rel, c.old, diff.Compute(c.old.String(), present.String()), diffContext)
	if len(since) > maxErrorDiff {
		return e
	}
	return e.With("diff", since)
}

// maxErrorDiff is the longest diff that an error carries, in bytes.
const maxErrorDiff = 8 << 10
