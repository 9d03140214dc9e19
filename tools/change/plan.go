package change

import (
	"cmp"
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// planOne works out the change that a request asks for.
func (b *batch) planOne(ctx context.Context, w *FileRequest) (*fileChange, error) {
	switch w.Kind {
	case KindCreate:
		return b.planCreate(ctx, w)
	case KindDelete:
		return b.planDelete(ctx, w)
	case KindMove:
		return b.planMove(ctx, w)
	}
	if w.Find == nil {
		return b.planMode(ctx, w)
	}
	return b.planEdit(ctx, w)
}

func (b *batch) planEdit(ctx context.Context, w *FileRequest) (*fileChange, error) {
	c, err := b.present(ctx, w)
	if err == nil {
		err = b.findEdits(c, w)
	}
	if err == nil {
		err = b.findMode(c, w)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// findEdits finds the edits of a change whose file and text are known.
func (b *batch) findEdits(c *fileChange, w *FileRequest) error {
	f := c.file
	expected, err := b.guard(w, f)
	if err != nil {
		return err
	}
	if w.LastRead {
		c.done.madeFor = expected.String()
	}
	b.env.Texts.Remember(f.Path.Key(), f.Hash, c.old)
	if merged := expected != f.Hash; merged {
		c.edits, c.done.Match, err = b.rebase(f, c.old, expected, w.Find)
		c.done.Merged = merged
	} else {
		c.edits, c.done.Match, err = w.Find(c.old)
	}
	if err == nil {
		err = c.prepare()
	}
	return at(err, f.Path.Rel)
}

// at names the file that an error is about.
func at(err error, path string) error {
	if e := fault.From(err); e != nil {
		return e.At(path)
	}
	return nil
}

// planCreate works out a new file.
func (b *batch) planCreate(ctx context.Context, w *FileRequest) (*fileChange, error) {
	p, err := b.vacant(ctx, w.Path)
	if err != nil {
		return nil, err
	}
	format := text.Format{Encoding: cmp.Or(w.Encoding, b.Encoding, text.EncodingUTF8)}
	c := &fileChange{
		file: &buffers.File{Path: p, Source: buffers.FromDisk, Format: format}, path: p,
		action: history.Created,
	}
	if err := b.findMode(c, w); err != nil {
		return nil, err
	}
	if w.Raw != nil {
		c.bytes, c.hash = w.Raw, text.HashBytes(w.Raw)
		return c, nil
	}
	c.edits = []diff.Edit{{New: text.New(w.Content).String()}}
	if err := c.prepare(); err != nil {
		return nil, at(err, p.Rel)
	}
	return c, nil
}

// vacant returns the path of a file that is to be made: nothing is there yet,
// or what is there goes.
func (b *batch) vacant(ctx context.Context, name string) (p workspace.Path, err error) {
	if p, err = b.env.Snapshot.Resolve(name); err != nil {
		return p, err
	}
	if p.Untitled() {
		return p, fault.New(fault.InvalidParams, "an untitled document cannot be created").At(p.Rel).Advise("Name a file.")
	}
	if b.freed[p.Key()] {
		return b.writable(p)
	}
	f, err := b.env.FileAt(ctx, p, "")
	switch {
	case err == nil:
		return p, fault.New(fault.AlreadyExists, "there is a file of that name; nothing was changed").At(f.Path.Rel).
			Advise("Read it and edit that text, or choose another name.").With("actual", f.Hash.String())
	case fault.KindOf(err) != fault.NotFound:
		return p, err
	}
	return b.writable(p)
}

// planDelete works out the end of a file.
func (b *batch) planDelete(ctx context.Context, w *FileRequest) (*fileChange, error) {
	c, err := b.whole(ctx, w)
	if err != nil {
		return nil, err
	}
	c.action = history.Deleted
	if err := b.same(c, w); err != nil {
		return nil, err
	}
	if c.mode.From, err = b.env.Snapshot.Gate.Mode(c.path); err != nil {
		return nil, err
	}
	return c, c.keepBytes()
}

// planMove works out a file's move, with edits or without.
func (b *batch) planMove(ctx context.Context, w *FileRequest) (*fileChange, error) {
	to, err := b.target(ctx, w)
	if err != nil {
		return nil, err
	}
	var c *fileChange
	if w.Find == nil {
		if c, err = b.whole(ctx, w); err == nil {
			err = b.same(c, w)
			c.hash = c.file.Hash
		}
	} else if c, err = b.present(ctx, w); err == nil {
		if err = b.mayMove(c.file); err == nil {
			err = b.findEdits(c, w)
		}
	}
	if err == nil {
		err = b.findMode(c, w)
	}
	if err != nil {
		return nil, err
	}
	c.action, c.to = history.Moved, to
	return c, nil
}

// target returns where a move leads. What differs in case alone may be the
// file itself.
func (b *batch) target(ctx context.Context, w *FileRequest) (workspace.Path, error) {
	to, err := b.vacant(ctx, w.To)
	if fault.KindOf(err) != fault.AlreadyExists {
		return to, err
	}
	from, ferr := b.env.File(ctx, w.Path, "")
	now, terr := b.env.FileAt(ctx, to, "")
	same := ferr == nil && terr == nil && from.ID == now.ID && from.Path.Key() != to.Key() &&
		strings.EqualFold(from.Path.Key(), to.Key()) && hasOneName(b.env, to)
	if !same {
		return to, err
	}
	return b.writable(to)
}

// hasOneName reports whether a file has no hard links: a name of it that differs
// in case alone might be one.
func hasOneName(e *toolcall.Env, p workspace.Path) bool {
	h, err := e.Snapshot.Gate.Open(p)
	if err != nil {
		return false
	}
	defer h.Close()
	return h.Links == 1
}

// whole returns the change of a file that is taken as it is.
func (b *batch) whole(ctx context.Context, w *FileRequest) (*fileChange, error) {
	f, err := b.env.File(ctx, w.Path, "")
	if err != nil {
		return nil, err
	}
	if err := b.mayMove(f); err != nil {
		return nil, err
	}
	p, err := b.writable(f.Path)
	if err != nil {
		return nil, err
	}
	return &fileChange{file: f, path: p}, nil
}

// present returns the change of a file, with the text that it has. A file
// that changes while it is read is read again.
func (b *batch) present(ctx context.Context, w *FileRequest) (*fileChange, error) {
	encoding := cmp.Or(w.Encoding, b.Encoding)
	for try := 1; ; try++ {
		f, err := b.env.File(ctx, w.Path, encoding)
		if err != nil {
			return nil, err
		}
		p, err := b.writable(f.Path)
		if err != nil {
			return nil, err
		}
		if err := b.mayEdit(f); err != nil {
			return nil, err
		}
		c := &fileChange{file: f, path: p, action: history.Modified}
		if known, ok := b.env.Texts.Lookup(f.Hash); ok && f.Document == nil && encoding == "" {
			c.old = known // it shares memory with what is made of it
			return c, nil
		}
		c.old, err = toolcall.WholeText(f)
		if err == nil || !buffers.IsChanged(err) || try == toolcall.MaxReads {
			return c, err
		}
		b.env.Refresh()
	}
}

// writable asks the policy, and notes what a person has to be asked for. What
// they agreed to already is consented to, as long as links lead to the same.
func (b *batch) writable(p workspace.Path) (workspace.Path, error) {
	gate := b.env.Snapshot.Gate
	err := fault.From(gate.CheckWrite(p))
	switch {
	case err == nil:
		return p, nil
	case err.Details["needs_consent"] != true:
		return p, err
	}
	if refused := fault.From(gate.CheckWrite(p.Consented())); refused != nil {
		return p, refused
	}
	ask := pendingConsent{p, err}
	if b.Person || b.agreed[ask.key()] || !ask.guarded() && b.env.Consents.Has(b.env.Client, p.Key()) {
		return p.Consented(), nil
	}
	b.pending = append(b.pending, ask)
	return p, nil
}

// mayMove refuses files that cannot be deleted or moved.
func (b *batch) mayMove(f *buffers.File) error {
	if err := mayTouch(f); err != nil {
		return err
	}
	open := f.Source == buffers.FromBuffer
	switch {
	case f.Path.Untitled():
		return fault.New(fault.InvalidParams, "an untitled document has no file").At(f.Path.Rel)
	case open && (f.Dirty || f.DiskChanged || f.DiskHash == nil):
		return fault.New(fault.BufferDirty, "the editor has unsaved changes of it, or another text than the disk; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to save or to close it.")
	case open && b.env.Editor == nil:
		return fault.New(fault.NoEditor, "the document is open, but no editor is attached").At(f.Path.Rel)
	}
	return nil
}

// mayTouch refuses files of which it is not known what the editor has.
func mayTouch(f *buffers.File) error {
	switch {
	case f.Document != nil && f.Document.IsPeer():
		return fault.New(fault.NotApplied, "another editor has the file open, which this call does not reach; nothing was changed").At(f.Path.Rel).
			Advise("Change it in a call of its own.")
	case f.NotebookOpen:
		return fault.New(fault.NotebookOpen, "the editor shows this file as a notebook, and what it shows is not known here; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to close the notebook's tab, or to make the change in it; then read it again.")
	case f.Unsynced:
		return fault.New(fault.NotApplied, "the editor shows this file but keeps its text to itself, as it does with very large files; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to close the file's tab, or to make the change in it; then read it again.")
	case f.OutOfSync() != "":
		return fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", f.OutOfSync()).
			At(f.Path.Rel).Advise("Try again in a moment; if it stays so, the document has to be closed and opened again.")
	}
	return nil
}

// mayEdit refuses files that cannot be edited, whatever the edit is.
func (b *batch) mayEdit(f *buffers.File) error {
	if !f.Binary {
		if err := mayTouch(f); err != nil {
			return err
		}
	}
	save := b.saveMode(b.env)
	open := f.Source == buffers.FromBuffer
	switch {
	case f.Binary:
		return fault.New(fault.BinaryFile, "a binary file cannot be edited as text").At(f.Path.Rel).
			Advise("Edit what it is made from.")
	case f.Lossy && open:
		return fault.New(fault.EncodingLossy, "it is not known how the editor would write the text: the file holds other bytes").At(f.Path.Rel).
			Advise("Ask the person to save the document or to reload it.")
	case f.Lossy:
		return fault.New(fault.EncodingLossy, "the file's bytes cannot be made again from its text").At(f.Path.Rel).
			Advise("Name its encoding with \"encoding\", or convert the file to UTF-8.")
	case open && b.env.Editor == nil:
		return fault.New(fault.NoEditor, "the document is open, but no editor is attached").At(f.Path.Rel)
	case open && save == SaveAlways && !b.env.Editor.CanSave():
		return fault.New(fault.InvalidParams, `"save": "always" needs an editor that can save for agent-lsp`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	case open && save == SaveAlways && f.Path.Untitled():
		return fault.New(fault.InvalidParams, `"save": "always" is not for documents without a file`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	case open && save == SaveAlways && f.Diverged():
		return fault.New(fault.BufferDirty, "the editor has unsaved changes, and the file on disk is another than the one that it opened or saved: saving would overwrite it; nothing was changed").At(f.Path.Rel).
			Advise(`Try again in a moment, as the editor may just be saving; if it stays so, leave "save" out and ask the person to save.`)
	}
	return nil
}

// guard returns the hash of the text that the request refers to. A hash that names
// no text of the file, neither one that was shown nor the present one, is
// stale_file.
func (b *batch) guard(w *FileRequest, f *buffers.File) (h text.Hash, err error) {
	if w.Expected == "" {
		h, ok := b.env.LastRead(f.Path.Key())
		switch {
		case !w.LastRead:
			return h, fault.New(fault.HashRequired, `"expected_hash" is missing`).At(f.Path.Rel).
				Advise("Read the file and give its hash: lines are those of one text.").With("actual", f.Hash.String())
		case !ok:
			return h, fault.New(fault.HashRequired, `not read yet, and "expected_hash" is missing`).At(f.Path.Rel).
				Advise("Read the file; then call again, or give its hash.").With("actual", f.Hash.String())
		}
		return h, nil
	}
	h, ok, err := b.env.HashNamed("expected_hash", w.Expected, f)
	if err == nil && !ok {
		unknown := stale(f.Path.Rel, w.Expected, f.Hash.String())
		unknown.Message = "no text of this file was shown with that hash; nothing was changed"
		err = unknown
	}
	return h, err
}

func stale(path, expected, actual string) *fault.Error {
	return fault.New(fault.StaleFile, "the text changed since it was read; nothing was changed").At(path).
		Advise("Read the file again and make the edit for its present text; its hash is %s.", actual).
		With("expected", expected).With("actual", actual)
}
