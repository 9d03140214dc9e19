package change

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// hold keeps the files that a call is about to change from being looked at by
// those who review them.
func (b *batch) hold() {
	if b.DryRun {
		return
	}
	var paths []workspace.Path
	for _, c := range b.changes {
		if paths = append(paths, c.path); c.action == history.Moved {
			paths = append(paths, c.to)
		}
	}
	b.held = b.env.Reviews.Hold(paths)
}

// review tells those who review what was changed by the change id.
func (b *batch) review(id string, changes []*fileChange) {
	by := ledger.Origin{Kind: ledger.Agent, Client: b.env.Client.Name, Edit: id, Time: b.env.Reviews.Now()}
	if b.Person || b.env.Person {
		by = ledger.Origin{Kind: ledger.Editor, Time: by.Time}
	}
	for _, c := range changes {
		to := review.Change{Path: c.path, To: c.to, Old: c.old, Fresh: c.fresh, FreshHash: c.hash, By: by, Undone: c.request.undone, Open: c.open()}
		switch c.action {
		case history.Created:
			to.Action = review.Created
			if c.edits == nil { // made of bytes
				if d, err := text.Decode(c.bytes, ""); err == nil && !d.Lossy {
					to.Fresh = d.Text
				}
			}
		case history.Deleted:
			to.Action, to.Fresh = review.Deleted, text.Text{}
			to.Gone = &review.Gone{Format: c.file.Format, Mode: c.mode.From, Edit: id, Text: c.old.Len() > 0 || c.file.SizeBytes == 0}
			if !to.Gone.Text {
				to.Gone.Raw = c.bytes
			}
		case history.Moved:
			to.Action = review.Moved
		}
		b.held.Changed(to)
	}
}

// UndoChoice says which hunks of a file are to be taken back.
type UndoChoice struct {
	Path workspace.Path
	review.Choice
}

// Undone is what became of hunks that were to be taken back.
type Undone struct {
	Count  int
	ID     string // of the change, for revert_edit; "" when there was none
	Failed []UndoFailure
	Files  []UndoneFile
}

// UndoneFile is one that was changed by that, with the diff.
type UndoneFile struct{ Path, Diff string }

// UndoFailure is a hunk, or a file, of which nothing was taken back.
type UndoFailure struct{ ID, Reason string }

// UndoHunks takes back hunks for the person at the editor: as one change, which
// can be taken back itself. What cannot be taken back does not hold up the rest.
func UndoHunks(ctx context.Context, e *toolcall.Env, choices []UndoChoice) (Undone, error) {
	return undoing{env: e, tool: undoTool}.run(ctx, choices)
}

// RestoreCheckpoint takes back all that agents changed since a checkpoint. What the
// person changed since stays. With dryRun it tells what would become of the files,
// and changes nothing.
func RestoreCheckpoint(ctx context.Context, e *toolcall.Env, id string, dryRun bool) (Undone, error) {
	turn, ok := e.Reviews.Checkpoint(id)
	if !ok {
		return Undone{}, fault.New(fault.NotFound, "there is no checkpoint %q, or it is forgotten", id).Advise("agent/checkpoint/list tells those that there are.")
	}
	var choices []UndoChoice
	for _, p := range e.Reviews.ChangedSince(turn) {
		if e.CheckShow(p) == nil {
			choices = append(choices, UndoChoice{Path: p, Choice: review.Choice{Since: turn}})
		}
	}
	return undoing{env: e, tool: restoreTool, dryRun: dryRun}.run(ctx, choices)
}

func (u undoing) run(ctx context.Context, choices []UndoChoice) (Undone, error) {
	e := u.env
	for try := 0; len(choices) > 0; try++ {
		e.Refresh()
		u.request = Request{Tool: u.tool, Person: true, Unseen: true, OnStale: StaleReject, DryRun: u.dryRun}
		u.count, u.missing = 0, nil
		choices = slices.DeleteFunc(choices, func(c UndoChoice) bool { return !u.want(ctx, c) })
		if len(u.request.Files) == 0 {
			break
		}
		out, err := u.request.Run(ctx, e)
		if err == nil {
			done := Undone{Count: u.count, ID: out.ID, Failed: append(u.failed, u.missing...)}
			for _, f := range out.Files {
				done.Files = append(done.Files, UndoneFile{f.Path, cmp.Or(f.Diff, f.Told)})
			}
			return done, nil
		}
		at := slices.IndexFunc(choices, func(c UndoChoice) bool { return c.Path.Rel == fault.From(err).Path })
		switch {
		case ctx.Err() != nil:
			return Undone{}, err
		case fault.KindOf(err) == fault.StaleFile && try < maxMerges:
		case at >= 0:
			u.fail(choices[at], fault.From(err).Message)
			choices = slices.Delete(choices, at, at+1)
		default:
			return Undone{}, err
		}
	}
	return Undone{Failed: append(u.failed, u.missing...)}, nil
}

// What stands where the tool's name does in the history.
const (
	undoTool    = "undo_hunks"
	restoreTool = "restore_checkpoint"
)

// undoing is hunks that are being taken back.
type undoing struct {
	env             *toolcall.Env
	tool            string
	dryRun          bool
	request         Request
	count           int
	failed, missing []UndoFailure
}

// fail notes that nothing of a file was taken back.
func (u *undoing) fail(c UndoChoice, reason string) {
	if len(c.IDs) == 0 {
		u.failed = append(u.failed, UndoFailure{c.Path.Rel, reason})
	}
	for _, id := range c.IDs {
		u.failed = append(u.failed, UndoFailure{id, reason})
	}
}

// want adds what takes back the hunks of a file. It reports whether there is
// anything to do.
func (u *undoing) want(ctx context.Context, c UndoChoice) bool {
	todo := u.env.Reviews.Undoing(ctx, c.Path, c.Choice)
	for _, id := range todo.Missing {
		u.missing = append(u.missing, UndoFailure{id, "agents changed it since, or it was kept or taken back already"})
	}
	if len(todo.Parts) == 0 && todo.Gone == nil && todo.From == "" && !todo.Empties {
		return false
	}
	w, err := u.fileRequest(ctx, c, todo)
	if err != nil {
		u.fail(c, fault.From(err).Message)
		return false
	}
	u.request.Files = append(u.request.Files, w)
	u.count += max(len(todo.Parts), 1)
	return true
}

func (u *undoing) fileRequest(ctx context.Context, c UndoChoice, todo review.Undoing) (FileRequest, error) {
	if todo.Gone != nil {
		var whole strings.Builder
		for _, l := range todo.Lines {
			whole.WriteString(strings.Join(l.Lines, ""))
		}
		raw, err := todo.Gone.Format.Encode(text.New(whole.String()))
		switch {
		case todo.Gone.Raw != nil:
			raw, err = todo.Gone.Raw, nil
		case !todo.Gone.Text:
			err = fault.New(fault.NotFound, "the file was too large to be kept, and cannot be brought back")
		}
		return FileRequest{Kind: KindCreate, Path: c.Path.Key(), Raw: raw, undone: todo.Undone(), Mode: func(fs.FileMode) fs.FileMode { return todo.Gone.Mode }}, err
	}
	f, err := u.env.FileAt(ctx, c.Path, "")
	if err != nil {
		return FileRequest{}, err
	}
	w := FileRequest{Kind: KindEdit, Path: c.Path.Key(), Expected: f.Hash.String(), undone: todo.Undone(), Encoding: forcedEncoding(f)}
	if todo.Empties {
		w.Kind = KindDelete
		return w, nil
	}
	if todo.From != "" {
		w.Kind, w.To = KindMove, todo.From
	}
	if len(todo.Parts) > 0 {
		w.Find = func(t text.Text) ([]diff.Edit, locate.Match, error) {
			return u.edits(ctx, c.Path, todo, t)
		}
	}
	return w, nil
}

// forcedEncoding is that of a file whose encoding was only guessed: what is put
// back was decoded by it.
func forcedEncoding(f *buffers.File) text.Encoding {
	if f.Detected {
		return f.Format.Encoding
	}
	return ""
}

// edits returns what takes hunks back from a text, if they are of that text.
func (u *undoing) edits(ctx context.Context, p workspace.Path, todo review.Undoing, t text.Text) ([]diff.Edit, locate.Match, error) {
	if !u.env.Reviews.Fits(ctx, p, todo, t) {
		return nil, locate.MatchNone, fault.New(fault.StaleFile, "the text is just changing; nothing was taken back")
	}
	return ledger.Edits(t, todo.Lines), locate.MatchNone, nil
}

// told returns the diff of a file that was made or deleted, which no answer has,
// where somebody is told of it; "" of others.
func (c *fileChange) told(env *toolcall.Env) string {
	if env.Editor == nil || c.action != history.Created && c.action != history.Deleted {
		return ""
	}
	return CutDiff(c.diff(), maxDiff)
}
