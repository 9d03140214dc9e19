package tools

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// plan works out the change that makes a wish true, and changes nothing.
func (b *batch) plan(ctx context.Context, w *wish) (*change, error) {
	switch w.kind {
	case wishCreate:
		return b.planCreate(w)
	case wishEdit:
		return b.planEdit(ctx, w)
	}
	return nil, fault.New(fault.Internal, "a wish of kind %d", w.kind)
}

func (b *batch) planEdit(ctx context.Context, w *wish) (*change, error) {
	f, old, err := b.present(ctx, w)
	if err != nil {
		return nil, err
	}
	expected, err := w.guard(f)
	if err != nil {
		return nil, err
	}
	b.env.Texts.Remember(f.Path.Key(), f.Hash, old)
	c := &change{file: f, old: old, action: actionModified, done: changedFile{Notes: w.notes}}
	if merged := expected != f.Hash; merged {
		c.edits, c.done.Match, err = b.rebase(f, old, expected, w.find)
		c.done.Merged = merged
	} else {
		c.edits, c.done.Match, err = w.find(old)
	}
	if err == nil {
		err = c.prepare()
	}
	if err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	return c, nil
}

// planCreate works out a new file.
func (b *batch) planCreate(w *wish) (*change, error) {
	p, err := b.env.Snapshot.Resolve(w.path)
	if err != nil {
		return nil, err
	}
	if p.Untitled() {
		return nil, fault.New(fault.InvalidParams, "an untitled document cannot be created").At(p.Rel).Advise("Name a file.")
	}
	if err := b.mayWrite(p); err != nil {
		return nil, err
	}
	format := text.Format{Encoding: text.EncodingUTF8}
	if b.encoding != "" {
		format.Encoding = b.encoding
	}
	c := &change{
		file:   &buffers.File{Path: p, Source: buffers.FromDisk, Format: format},
		edits:  []diff.Edit{{New: text.New(w.content).String()}},
		action: actionCreated, done: changedFile{Notes: w.notes},
	}
	if err := c.prepare(); err != nil {
		return nil, fault.From(err).At(p.Rel)
	}
	return c, nil
}

// present returns the file and its text. A file that changes while it is read
// is read anew.
func (b *batch) present(ctx context.Context, w *wish) (*buffers.File, text.Text, error) {
	for try := 1; ; try++ {
		f, err := b.env.file(ctx, w.path, b.encoding)
		if err != nil {
			return nil, text.Text{}, err
		}
		if err := b.mayEdit(f); err != nil {
			return nil, text.Text{}, err
		}
		if known, ok := b.env.Texts.Lookup(f.Hash); ok && f.Document == nil && b.encoding == "" {
			return f, known, nil // it shares memory with what is made of it
		}
		old, err := wholeText(f)
		if err == nil || !buffers.IsChanged(err) || try == maxReads {
			return f, old, err
		}
		b.env.refresh()
	}
}

// mayWrite asks the policy. A dry run needs nobody's consent.
func (b *batch) mayWrite(p workspace.Path) error {
	err := fault.From(b.env.Snapshot.Gate.CheckWrite(p))
	if err == nil || b.dryRun && err.Details["needs_consent"] == true {
		return nil
	}
	return err
}

// mayEdit refuses files that cannot be edited, whatever the edit is.
func (b *batch) mayEdit(f *buffers.File) error {
	if err := b.mayWrite(f.Path); err != nil {
		return err
	}
	save := b.saveMode(b.env)
	open := f.Source == buffers.FromBuffer
	switch {
	case f.Binary:
		return fault.New(fault.BinaryFile, "a binary file cannot be edited as text").At(f.Path.Rel).
			Advise("Edit what it is made from.")
	case f.NotebookOpen:
		return fault.New(fault.NotebookOpen, "the editor shows this file as a notebook, and what it shows is not known here; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to close the notebook's tab, or to make the change in it; then read it again.")
	case f.Unsure() != "":
		return fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", f.Unsure()).
			At(f.Path.Rel).Advise("Try again in a moment; if it stays so, the document has to be closed and opened again.")
	case f.Lossy && open:
		return fault.New(fault.EncodingLossy, "it is not known how the editor would write the text: the file holds other bytes").At(f.Path.Rel).
			Advise("Ask the person to save the document or to reload it.")
	case f.Lossy:
		return fault.New(fault.EncodingLossy, "the file's bytes cannot be made again from its text").At(f.Path.Rel).
			Advise("Name its encoding with \"encoding\", or convert the file to UTF-8.")
	case open && b.env.Editor == nil:
		return fault.New(fault.NoEditor, "the document is open, but no editor is attached").At(f.Path.Rel)
	case open && save == saveAlways && !b.env.Editor.CanSave():
		return fault.New(fault.InvalidParams, `"save": "always" needs an editor that can save for agent-lsp`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	case open && save == saveAlways && (f.Path.Untitled() || f.Diverged()):
		return fault.New(fault.InvalidParams, `"save": "always" is not for documents without a file, or whose file changed on disk`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	}
	return nil
}

// guard returns the hash of the text that the wish refers to.
func (w *wish) guard(f *buffers.File) (h text.Hash, err error) {
	if w.expected == "" {
		return h, fault.New(fault.HashRequired, `"expected_hash" is missing`).At(f.Path.Rel).
			Advise("Read the file and give its content_hash.").With("actual", f.Hash.String())
	}
	h, err = text.ParseHash(w.expected)
	if err != nil {
		return h, fault.New(fault.InvalidParams, `"expected_hash": %s`, fault.From(err).Message).At(f.Path.Rel).
			Advise("Give the content_hash that read_file gave.")
	}
	return h, nil
}

func stale(path, expected, actual string) *fault.Error {
	return fault.New(fault.StaleFile, "the text changed since it was read; nothing was changed").At(path).
		Advise("Read the file again and make the edit for its present text; its hash is %s.", actual).
		With("expected", expected).With("actual", actual)
}

// wholeText returns all of a file's text.
func wholeText(f *buffers.File) (text.Text, error) {
	if f.Document != nil {
		return f.Document.Text, nil
	}
	n := f.Content.Len()
	if n > text.MaxLen {
		return text.Text{}, fault.New(fault.FileTooLarge, "%d bytes; files over %d cannot be edited", n, text.MaxLen).At(f.Path.Rel)
	}
	raw := f.Content.Append(make([]byte, 0, n), text.Span{End: n})
	if err := f.Err(); err != nil {
		return text.Text{}, fault.From(err).At(f.Path.Rel)
	}
	return text.New(frozen(raw)), nil
}
