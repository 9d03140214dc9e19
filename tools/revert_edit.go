package tools

import (
	"context"
	"io/fs"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

var revertEdit = tool[revertInput, *changeOutput]{
	name: "revert_edit",
	doc: `Undo an edit of this session by the hash or id that its answer gave: texts as they were, created files deleted, deleted and moved ones back. ` +
		`What was changed since stays; where that touches the same lines it is merge_conflict, and nothing is changed. ` +
		`The revert is a change itself.`,
	changes:  true,
	about:    aboutChange,
	terminal: Terminal{Arguments: []string{"id"}},
	run:      runRevertEdit,
}

type revertInput struct {
	ID     string   `json:"id" brief:"hash or id of an answer" jsonschema:"The change: its id, or the hash that its answer gave."`
	DryRun bool     `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save   saveMode `json:"save,omitempty" brief:"-" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never."`
}

func runRevertEdit(ctx context.Context, env *Env, in revertInput) (*changeOutput, error) {
	id, err := env.History.named(in.ID)
	if err != nil {
		return nil, err
	}
	p, known := env.History.find(id)
	if !known {
		return nil, env.noSuchEdit(in.ID)
	}
	if p.ran != nil {
		return nil, fault.New(fault.InvalidParams, "%s is what changed on disk while a command ran; the texts from before are not kept, so nothing was taken back", p.id).
			Advise("Take it back in the way of the command, or of version control, or make the opposite change by edit_file.")
	}
	if p.reverted != "" {
		return nil, fault.New(fault.InvalidParams, "%s was taken back already, by %s", p.id, p.reverted).
			Advise("To have it again, revert %s.", p.reverted)
	}
	out, err := in.revert(ctx, env, p.files)
	if fault.KindOf(err) == fault.MergeConflict && slices.ContainsFunc(p.files, pastFile.wasFormatted) {
		// What a formatter made of the change goes back with it.
		formatted := slices.Clone(p.files)
		for i := range formatted {
			formatted[i].fresh = formatted[i].after()
		}
		env.refresh()
		out, err = in.revert(ctx, env, formatted)
	}
	if err != nil {
		return nil, err
	}
	if p.unknown && !slices.ContainsFunc(out.Files, func(f changedFile) bool { return f.Action != actionUnchanged }) {
		return nil, fault.New(fault.NotApplied, "%s has not landed in the editor; nothing was changed", p.id).
			Advise("The editor may still make it. Read the file; once the edit is in it, it can be taken back.")
	}
	env.History.reverted(p.id, out.ID) // "" where nothing was changed
	return out, nil
}

// revert takes back what became of files.
func (in revertInput) revert(ctx context.Context, env *Env, files []pastFile) (*changeOutput, error) {
	w := wishes{tool: "revert_edit", onStale: staleMerge, dryRun: in.DryRun, save: in.Save}
	for _, f := range slices.Backward(files) {
		back, err := env.inverse(f)
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, back)
	}
	out, err := w.run(ctx, env)
	if err != nil {
		return nil, cannotRevert(err)
	}
	return out, nil
}

// cannotRevert says of an error what it means for a revert.
func cannotRevert(err error) error {
	e := *fault.From(err)
	switch e.Kind {
	case fault.StaleFile:
		e.Kind = fault.MergeConflict
		e.Message = "the file was changed since; nothing was taken back"
		return e.Advise("Read the file, and make the change that is wanted by edit_file.")
	case fault.MergeConflict:
		return e.Advise("What was changed since touches the same lines. Read the file, and make the change that is wanted by edit_file.")
	}
	return &e
}

// inverse is what takes back what became of a file.
func (e *Env) inverse(f pastFile) (wish, error) {
	mode := func(now fs.FileMode) fs.FileMode { return oldMode(f.mode, now) }
	switch f.action {
	case actionCreated:
		return wish{kind: wishDelete, path: f.path, expected: f.fresh.String()}, nil
	case actionDeleted:
		if f.raw == nil {
			return wish{}, forgotten(f)
		}
		return wish{kind: wishCreate, path: f.path, raw: f.raw, mode: mode}, nil
	}
	w := wish{kind: wishEdit, path: f.path, expected: f.fresh.String(), encoding: f.encoding}
	if f.action == actionMoved {
		w.kind, w.path, w.to = wishMove, f.to, f.path
	}
	if !f.mode.IsNone() {
		w.mode = mode
	}
	if f.old == f.fresh {
		return w, nil
	}
	old, ok1 := e.History.texts.Lookup(f.old)
	fresh, ok2 := e.History.texts.Lookup(f.fresh)
	if !ok1 || !ok2 {
		return wish{}, forgotten(f)
	}
	e.Texts.Remember(f.path, f.fresh, fresh) // as the base of a merge
	w.find = func(t text.Text) ([]diff.Edit, matchRung, error) {
		return diff.Compute(t.String(), old.String()), matchNone, nil
	}
	return w, nil
}

func forgotten(f pastFile) error {
	return fault.New(fault.NotFound, "the text that the file had before is no longer remembered; nothing was changed").At(f.shown).
		Advise("edit_history may still have the diff of the change; make the opposite change by edit_file.")
}
