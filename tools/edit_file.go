package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

var editFile = tool[editInput, *changeOutput]{
	name: "edit_file",
	doc: `Change a file, guarded by the content_hash that read_file gave: if the text is another by now, nothing is changed. ` +
		`old_text must occur exactly once (or give near_line or replace_all); several edits in one call all refer to the text of that hash. ` +
		`{start_line, end_line, new_text} replaces whole lines; end_line = start_line - 1 inserts before start_line. ` +
		`A file that is open in the editor is changed there, as one undo step, and saved only if it had no unsaved changes, unless save says otherwise. ` +
		`The answer's content_hash is good for the next edit.`,
	changes: true,
	run:     runEditFile,
}

type editInput struct {
	Path         string     `json:"path" jsonschema:"File to change: relative to the workspace root, absolute, or a file:// or untitled: URI."`
	ExpectedHash string     `json:"expected_hash,omitempty" jsonschema:"The content_hash of the text that the edits refer to. Required."`
	Edits        []editItem `json:"edits,omitempty" jsonschema:"The edits; they must not overlap."`
	OldText      *string    `json:"old_text,omitempty" jsonschema:"For a single edit: the text to replace."`
	NewText      *string    `json:"new_text,omitempty" jsonschema:"For a single edit: what replaces it."`
	ReplaceAll   bool       `json:"replace_all,omitempty" jsonschema:"For a single edit: replace every occurrence."`
	NearLine     *uint64    `json:"near_line,omitempty" jsonschema:"For a single edit: of several occurrences take the one nearest to this line."`
	OnStale      staleMode  `json:"on_stale,omitempty" jsonschema:"When the text is another than that of expected_hash: refuse (reject, the default) or merge the edit into the present text (merge)."`
	DryRun       bool       `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save         saveMode   `json:"save,omitempty" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written."`
	Encoding     string     `json:"encoding,omitempty" jsonschema:"The encoding of a file on disk, where it was only detected and the new text is not ASCII."`
}

type editItem struct {
	OldText    *string `json:"old_text,omitempty" jsonschema:"The text to replace, exactly as it stands."`
	NewText    *string `json:"new_text,omitempty" jsonschema:"What replaces it; empty deletes."`
	ReplaceAll bool    `json:"replace_all,omitempty" jsonschema:"Replace every occurrence."`
	NearLine   *uint64 `json:"near_line,omitempty" jsonschema:"Of several occurrences take the one nearest to this line."`
	StartLine  *uint64 `json:"start_line,omitempty" jsonschema:"Instead of old_text: first line to replace, 1-based."`
	EndLine    *uint64 `json:"end_line,omitempty" jsonschema:"Last line to replace, inclusive."`
}

// changeOutput is what a tool that changes files gives.
type changeOutput struct {
	Files  []changedFile `json:"files"`
	DryRun bool          `json:"dry_run,omitzero"`
}

// changedFile describes one file as it is after the call.
type changedFile struct {
	Path         string         `json:"path"`
	Action       changeAction   `json:"action" jsonschema:"modified, created or unchanged"`
	Source       buffers.Source `json:"source" jsonschema:"buffer: changed in the editor; disk: on disk"`
	PreviousHash string         `json:"previous_hash,omitempty" jsonschema:"Hash of the text that was edited."`
	ContentHash  string         `json:"content_hash" jsonschema:"Hash of the text as it is now; good for the next edit."`
	Diff         string         `json:"diff,omitempty" jsonschema:"Unified diff of all that changed."`
	Merged       bool           `json:"merged,omitzero" jsonschema:"The edit was made for an older text and merged into the present one."`
	Saved        bool           `json:"saved" jsonschema:"The file on disk holds the text."`
	Match        matchRung      `json:"match,omitempty" jsonschema:"How literally old_text was found: exact, line_endings, trailing_blanks or indentation."`
	Notes        []string       `json:"notes,omitempty"`
}

type changeAction string

const (
	actionModified  changeAction = "modified"
	actionCreated   changeAction = "created"
	actionUnchanged changeAction = "unchanged"
)

const diffContext = 3

func (o *changeOutput) render() Rendering {
	var head, body strings.Builder
	for i, f := range o.Files {
		if i > 0 {
			head.WriteString("\n")
		}
		where := "on disk"
		switch {
		case o.DryRun:
			where = "dry run, nothing was changed"
		case f.Source == buffers.FromBuffer && f.Saved:
			where = "in the editor, saved"
		case f.Source == buffers.FromBuffer:
			where = "in the editor, not saved"
		}
		hash := "hash: "
		if o.DryRun {
			hash = "hash after the edit: "
		}
		fmt.Fprintf(&head, "%s: %s [%s]\n%s%s", oneLine(f.Path), f.Action, where, hash, f.ContentHash)
		if f.Merged {
			head.WriteString("; merged with what changed since")
		}
		for _, n := range f.Notes {
			head.WriteString("; note: " + n)
		}
		body.WriteString(f.Diff)
	}
	return Rendering{Header: head.String(), Body: body.String()}
}

func runEditFile(ctx context.Context, env *Env, in editInput) (*changeOutput, error) {
	items, err := in.items()
	if err != nil {
		return nil, err
	}
	forced, err := encodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	return in.make(ctx, env, forced, func(t text.Text) ([]diff.Edit, matchRung, error) { return locate(ctx, t, items) })
}

// make makes the edits that find finds, and merges them where the text is
// another than they are meant for and the call wants that.
func (in editInput) make(ctx context.Context, env *Env, forced text.Encoding, find asked) (*changeOutput, error) {
	for try := 1; ; try++ {
		done, err := in.attempt(ctx, env, forced, find)
		if err == nil {
			return &changeOutput{Files: []changedFile{done}, DryRun: in.DryRun}, nil
		}
		// It changed again on the way; what is merged is merged anew.
		if fault.KindOf(err) != fault.StaleFile || !in.merges(env) || try == maxMerges || ctx.Err() != nil {
			return nil, err
		}
		env.refresh()
	}
}

// attempt makes the edits in the file as it is now.
func (in editInput) attempt(ctx context.Context, env *Env, forced text.Encoding, find asked) (done changedFile, err error) {
	f, old, err := in.present(ctx, env, forced)
	if err != nil {
		return done, err
	}
	expected, err := in.expected(f)
	if err != nil {
		return done, err
	}
	env.Texts.Remember(f.Path.Key(), f.Hash, old)
	c := change{file: f, old: old}
	if merged := expected != f.Hash; merged {
		c.edits, done.Match, err = in.rebase(env, f, old, expected, find)
		done.Merged = merged
	} else {
		c.edits, done.Match, err = find(old)
	}
	if err == nil {
		err = c.prepare()
	}
	if err != nil {
		return done, fault.From(err).At(f.Path.Rel)
	}
	err = c.land(ctx, env, in, &done)
	return done, err
}

// present returns the file and its text. A file that changes while it is read
// is read anew.
func (in editInput) present(ctx context.Context, env *Env, forced text.Encoding) (*buffers.File, text.Text, error) {
	for try := 1; ; try++ {
		f, err := env.file(ctx, in.Path, forced)
		if err != nil {
			return nil, text.Text{}, err
		}
		if err := mayEdit(env, f, in); err != nil {
			return nil, text.Text{}, err
		}
		if known, ok := env.Texts.Lookup(f.Hash); ok && f.Document == nil && forced == "" {
			return f, known, nil // it shares memory with what is made of it
		}
		old, err := wholeText(f)
		if err == nil || !buffers.IsChanged(err) || try == maxReads {
			return f, old, err
		}
		env.refresh()
	}
}

// saveMode is what the call says, else what the settings say.
func (in editInput) saveMode(env *Env) saveMode {
	if in.Save != "" {
		return in.Save
	}
	return saveMode(env.Snapshot.Gate.Settings().Edits.Save)
}

// items returns the edits that the arguments ask for.
func (in editInput) items() ([]editItem, error) {
	single := in.OldText != nil || in.NewText != nil
	switch {
	case single && len(in.Edits) > 0:
		return nil, fault.New(fault.InvalidParams, `give either "edits" or "old_text" and "new_text"`)
	case single:
		return []editItem{{OldText: in.OldText, NewText: in.NewText, ReplaceAll: in.ReplaceAll, NearLine: in.NearLine}}, nil
	case len(in.Edits) == 0:
		return nil, fault.New(fault.InvalidParams, "there is nothing to edit").
			Advise(`Give "old_text" and "new_text", or "edits".`)
	case in.ReplaceAll:
		return nil, fault.New(fault.InvalidParams, `"replace_all" belongs into each of "edits"`)
	case in.NearLine != nil:
		return nil, fault.New(fault.InvalidParams, `"near_line" belongs into each of "edits"`)
	}
	return in.Edits, nil
}

// mayEdit refuses files that cannot be edited, whatever the edit is.
func mayEdit(env *Env, f *buffers.File, in editInput) error {
	err := fault.From(env.Snapshot.Gate.CheckWrite(f.Path))
	if err != nil && !(in.DryRun && err.Details["needs_consent"] == true) {
		return err
	}
	save := in.saveMode(env)
	open := f.Source == buffers.FromBuffer
	switch {
	case f.Binary:
		return fault.New(fault.BinaryFile, "a binary file cannot be edited as text").At(f.Path.Rel).
			Advise("Edit what it is made from.")
	case f.NotebookOpen:
		return fault.New(fault.NotebookOpen, "the editor shows this file as a notebook, and what it shows is not known here; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to close the notebook's tab, or to make the change in it; then read it again.")
	case f.Unsynced:
		return fault.New(fault.NotApplied, "the editor shows this file but keeps its text to itself, as it does with very large files; nothing was changed").At(f.Path.Rel).
			Advise("Ask the person to close the file's tab, or to make the change in it; then read it again.")
	case f.Unsure() != "":
		return fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", f.Unsure()).
			At(f.Path.Rel).Advise("Try again in a moment; if it stays so, the document has to be closed and opened again.")
	case f.Lossy && open:
		return fault.New(fault.EncodingLossy, "it is not known how the editor would write the text: the file holds other bytes").At(f.Path.Rel).
			Advise("Ask the person to save the document or to reload it.")
	case f.Lossy:
		return fault.New(fault.EncodingLossy, "the file's bytes cannot be made again from its text").At(f.Path.Rel).
			Advise("Name its encoding with \"encoding\", or convert the file to UTF-8.")
	case open && env.Editor == nil:
		return fault.New(fault.NoEditor, "the document is open, but no editor is attached").At(f.Path.Rel)
	case open && save == saveAlways && !env.Editor.CanSave():
		return fault.New(fault.InvalidParams, `"save": "always" needs an editor that can save for agent-lsp`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	case open && save == saveAlways && (f.Path.Untitled() || f.Diverged()):
		return fault.New(fault.InvalidParams, `"save": "always" is not for documents without a file, or whose file changed on disk`).At(f.Path.Rel).
			Advise(`Leave "save" out and ask the person to save.`)
	}
	return nil
}

// expected returns the hash of the text that the edits were made for.
func (in editInput) expected(f *buffers.File) (h text.Hash, err error) {
	if in.ExpectedHash == "" {
		return h, fault.New(fault.HashRequired, `"expected_hash" is missing`).At(f.Path.Rel).
			Advise("Read the file and give its content_hash.").With("actual", f.Hash.String())
	}
	h, err = text.ParseHash(in.ExpectedHash)
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

// located is one edit of a text and the item of the call that asked for it.
type located struct {
	diff.Edit
	item int
}

// locate turns the asked edits into edits of old, sorted and free of overlap.
// The rung is the lowest that one of them needed.
func locate(ctx context.Context, old text.Text, items []editItem) ([]diff.Edit, matchRung, error) {
	if len(items) > maxItems {
		return nil, "", fault.New(fault.InvalidParams, "%d edits in one call; at most %d are taken", len(items), maxItems)
	}
	hay := haystack{text: old}
	var all []located
	rung := matchNone
	for i, item := range items {
		if ctx.Err() != nil {
			return nil, "", fault.From(ctx.Err())
		}
		found, r, err := item.locate(&hay)
		if err != nil {
			return nil, "", inItem(err, i, len(items))
		}
		for _, e := range found {
			all = append(all, located{e, i})
		}
		rung = lower(rung, r)
	}
	slices.SortStableFunc(all, func(a, b located) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	edits := make([]diff.Edit, len(all))
	for i, e := range all {
		if i > 0 && e.Span.Start < all[i-1].Span.End {
			return nil, "", overlapping(old, all[i-1], e)
		}
		edits[i] = e.Edit
	}
	joinAppended(old, edits)
	return edits, rung, diff.Check(old, edits)
}

// maxItems is how many edits a call may hold: each is searched for.
const maxItems = 1000

func overlapping(old text.Text, a, b located) error {
	first, second := min(a.item, b.item), max(a.item, b.item)
	return fault.New(fault.OverlappingEdits, "edits[%d] and edits[%d] change the same text, around line %d; nothing was changed",
		first, second, old.LineAt(b.Span.Start)+1).
		Advise("Make one edit of the two, or narrow them until they no longer touch the same text.").
		With("edits", []int{first, second})
}

// inItem says which of several edits an error is about.
func inItem(err error, i, of int) error {
	if of == 1 {
		return err
	}
	e := *fault.From(err)
	e.Message = fmt.Sprintf("edits[%d]: %s", i, e.Message)
	return e.With("edit", i)
}

func (item editItem) locate(hay *haystack) ([]diff.Edit, matchRung, error) {
	byLine := item.StartLine != nil || item.EndLine != nil
	switch {
	case item.NewText == nil:
		return nil, "", fault.New(fault.InvalidParams, `"new_text" is missing`).Advise(`An empty "new_text" deletes.`)
	case byLine && item.OldText != nil:
		return nil, "", fault.New(fault.InvalidParams, `give either "old_text" or a range of lines`)
	case item.NearLine != nil && (byLine || item.ReplaceAll):
		return nil, "", fault.New(fault.InvalidParams, `"near_line" chooses one occurrence of "old_text"`)
	case byLine && item.ReplaceAll:
		return nil, "", fault.New(fault.InvalidParams, `"replace_all" goes with "old_text", not with a range of lines`)
	case byLine:
		edit, err := item.locateLines(hay.text)
		return []diff.Edit{edit}, matchNone, err
	case item.OldText == nil:
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is missing`)
	case *item.OldText == "":
		return nil, "", fault.New(fault.InvalidParams, `"old_text" is empty`).
			Advise("To insert, give start_line and end_line = start_line - 1, or an old_text beside which to insert.")
	}
	return item.locateText(hay)
}
