package tools

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

var revertEdit = tool[revertInput, *change.Output]{
	name: "revert_edit",
	doc: `Undo an edit of this session by the hash or id that its answer gave: texts as they were, created files deleted, deleted and moved ones back. ` +
		`What was changed since stays; on the same lines it is merge_conflict.`,
	changes:  true,
	about:    aboutChange,
	terminal: Terminal{Arguments: []string{"id"}},
	run:      runRevertEdit,
}

type revertInput struct {
	ID     string          `json:"id" brief:"hash or id of an answer" jsonschema:"The change: its id, or the hash that its answer gave."`
	DryRun bool            `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save   change.SaveMode `json:"save,omitempty" brief:"-" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never."`
}

func runRevertEdit(ctx context.Context, env *toolcall.Env, in revertInput) (*change.Output, error) {
	id, err := env.History.Named(in.ID)
	if err != nil {
		return nil, err
	}
	p, known := env.History.Find(id)
	if !known {
		return nil, noSuchEdit(env, in.ID)
	}
	if p.Ran != nil {
		return nil, fault.New(fault.InvalidParams, "%s is what changed on disk while a command ran; the texts from before are not kept, so nothing was taken back", p.ID).
			Advise("Take it back in the way of the command, or of version control, or make the opposite change by edit_file.")
	}
	if p.RevertedBy != "" {
		return nil, fault.New(fault.InvalidParams, "%s was taken back already, by %s", p.ID, p.RevertedBy).
			Advise("To have it again, revert %s.", p.RevertedBy)
	}
	out, err := in.revert(ctx, env, p.Files)
	if fault.KindOf(err) == fault.MergeConflict && slices.ContainsFunc(p.Files, history.File.WasFormatted) {
		// What a formatter made of the change goes back with it.
		formatted := slices.Clone(p.Files)
		for i := range formatted {
			formatted[i].NewHash = formatted[i].After()
		}
		env.Refresh()
		out, err = in.revert(ctx, env, formatted)
	}
	if err != nil {
		return nil, err
	}
	if p.Unknown && !slices.ContainsFunc(out.Files, func(f change.ChangedFile) bool { return f.Action != history.Unchanged }) {
		return nil, fault.New(fault.NotApplied, "%s has not landed in the editor; nothing was changed", p.ID).
			Advise("The editor may still make it. Read the file; once the edit is in it, it can be taken back.")
	}
	env.History.MarkReverted(p.ID, out.ID) // "" where nothing was changed
	return out, nil
}

// revert undoes what became of files.
func (in revertInput) revert(ctx context.Context, env *toolcall.Env, files []history.File) (*change.Output, error) {
	w := change.Request{Tool: "revert_edit", OnStale: change.StaleMerge, DryRun: in.DryRun, Save: in.Save}
	for _, f := range slices.Backward(files) {
		back, err := inverse(ctx, env, f)
		if err != nil {
			return nil, err
		}
		w.Files = append(w.Files, back)
	}
	out, err := w.Run(ctx, env)
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

// inverse is the request that undoes what became of a file.
func inverse(ctx context.Context, e *toolcall.Env, f history.File) (change.FileRequest, error) {
	mode := func(now fs.FileMode) fs.FileMode { return change.OldMode(f.Mode, now) }
	switch f.Action {
	case history.Created:
		return change.FileRequest{Kind: change.KindDelete, Path: f.Path, Expected: f.NewHash.String()}, nil
	case history.Deleted:
		if f.Raw == nil {
			return change.FileRequest{}, forgotten(f)
		}
		return change.FileRequest{Kind: change.KindCreate, Path: f.Path, Raw: f.Raw, Mode: mode}, nil
	}
	w := change.FileRequest{Kind: change.KindEdit, Path: f.Path, Expected: f.NewHash.String(), Encoding: f.Encoding}
	if f.Action == history.Moved {
		w.Kind, w.Path, w.To = change.KindMove, f.To, f.Path
	}
	if !f.Mode.IsNone() {
		w.Mode = mode
	}
	if f.OldHash == f.NewHash {
		return w, nil
	}
	old, ok1 := e.History.Texts.Lookup(f.OldHash)
	fresh, ok2 := e.History.Texts.Lookup(f.NewHash)
	if !ok1 || !ok2 {
		return inverseByDiff(ctx, e, w, f)
	}
	e.Texts.Remember(f.Path, f.NewHash, fresh) // as the base of a merge
	w.Find = func(t text.Text) ([]diff.Edit, locate.Match, error) {
		return diff.Compute(t.String(), old.String()), locate.MatchNone, nil
	}
	return w, nil
}

// inverseByDiff has a request take back what the diff of a change tells, of which the
// texts are remembered no more: an earlier process made it.
func inverseByDiff(ctx context.Context, e *toolcall.Env, w change.FileRequest, f history.File) (change.FileRequest, error) {
	at := strings.Index(f.Diff, "@@ ")
	if at < 0 || strings.HasSuffix(f.Diff, " bytes are shown.\n") {
		return change.FileRequest{}, forgotten(f)
	}
	patch, err := diff.ParsePatch("--- a/file\n+++ b/file\n" + reversed(f.Diff[at:]))
	if err != nil || len(patch.Files) != 1 {
		return change.FileRequest{}, forgotten(f)
	}
	p, err := e.Snapshot.Resolve(w.Path)
	if err != nil {
		return change.FileRequest{}, err
	}
	now, err := e.FileAt(ctx, p, w.Encoding)
	if err != nil {
		return change.FileRequest{}, err
	}
	w.Expected = now.Hash.String()
	w.Find = func(t text.Text) ([]diff.Edit, locate.Match, error) {
		edits, match, err := patch.Files[0].Locate(ctx, t)
		if err != nil || match != diff.MatchExact && match != diff.MatchLineEnding {
			return nil, locate.MatchNone, fault.New(fault.MergeConflict, "the lines that the change made were changed since; nothing was taken back").At(f.Shown)
		}
		return edits, locate.MatchNone, nil
	}
	return w, nil
}

// reversed returns the hunks of a unified diff the other way round.
func reversed(hunks string) string {
	var out, came strings.Builder // of each run of changed lines what goes comes first
	flush := func() {
		out.WriteString(came.String())
		came.Reset()
	}
	into := &out
	for line := range strings.Lines(hunks) {
		switch {
		case strings.HasPrefix(line, "@@ -"):
			flush()
			into = &out
			old, rest, _ := strings.Cut(line[len("@@ -"):], " +")
			fresh, tail, _ := strings.Cut(rest, " @@")
			out.WriteString("@@ -" + fresh + " +" + old + " @@" + tail)
		case line[0] == '-':
			into = &came
			came.WriteString("+" + line[1:])
		case line[0] == '+':
			into = &out
			out.WriteString("-" + line[1:])
		case line[0] == '\\':
			into.WriteString(line)
		default:
			flush()
			into = &out
			out.WriteString(line)
		}
	}
	flush()
	return out.String()
}

func forgotten(f history.File) error {
	return fault.New(fault.NotFound, "the text that the file had before is no longer remembered; nothing was changed").At(f.Shown).
		Advise("edit_history may still have the diff of the change; make the opposite change by edit_file.")
}
