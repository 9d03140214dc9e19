package tools

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// wishKind is what a call wants to become of a file.
type wishKind int

const (
	wishEdit wishKind = iota
	wishCreate
	wishDelete
	wishMove // to another path, edited on the way or not
)

// wish is what a call wants of one file.
type wish struct {
	kind wishKind
	// path names the file as the caller wrote it; to is where a move leads.
	path, to string
	// expected is the hash of the text that the wish refers to, as the caller
	// gave it; wishCreate has none.
	expected string
	// find finds the edits of that text: of wishEdit and wishMove, which
	// changes nothing when it is nil.
	find asked
	// content is the whole text of wishCreate.
	content string
	// notes are for the answer.
	notes []string
}

// wishes is what a call wants of all files: all of it becomes true, or
// nothing.
type wishes struct {
	tool    string // the tool's name
	onStale staleMode
	dryRun  bool
	save    saveMode
	// encoding is that of new files, and of files on disk whose encoding was
	// only detected; "" when the call names none.
	encoding text.Encoding
	files    []wish
}

// run makes all wishes true, and merges edits where a text is another than
// they are meant for and the call wants that.
func (w wishes) run(ctx context.Context, env *Env) (*changeOutput, error) {
	for try := 1; ; try++ {
		out, err := w.attempt(ctx, env)
		if err == nil {
			return out, nil
		}
		// It changed again on the way; what is merged is merged anew.
		if fault.KindOf(err) != fault.StaleFile || !w.merges(env) || try == maxMerges || ctx.Err() != nil {
			return nil, err
		}
		env.refresh()
	}
}

// attempt makes the wishes true of the files as they are now.
func (w wishes) attempt(ctx context.Context, env *Env) (*changeOutput, error) {
	b := batch{wishes: w, env: env}
	for i := range w.files {
		c, err := b.plan(ctx, &w.files[i])
		if err != nil {
			return nil, err
		}
		b.changes = append(b.changes, c)
	}
	return b.land(ctx)
}

// merges tells whether a stale edit is merged.
func (w wishes) merges(env *Env) bool {
	mode := w.onStale
	if mode == "" {
		mode = staleMode(env.Snapshot.Gate.Settings().Edits.OnStale)
	}
	return mode == staleMode(workspace.OnStaleMerge)
}

// saveMode is what the call says, else what the settings say.
func (w wishes) saveMode(env *Env) saveMode {
	if w.save != "" {
		return w.save
	}
	return saveMode(env.Snapshot.Gate.Settings().Edits.Save)
}

// batch is wishes on their way.
type batch struct {
	wishes
	env     *Env
	changes []*change
}

// land makes all changes. Once the first began, cancelling ctx is ignored:
// half an edit helps nobody.
func (b *batch) land(ctx context.Context) (*changeOutput, error) {
	if ctx.Err() != nil {
		return nil, fault.From(ctx.Err())
	}
	ctx = context.WithoutCancel(ctx)
	out := &changeOutput{DryRun: b.dryRun}
	for _, c := range b.changes {
		if err := b.landOne(ctx, c); err != nil {
			return nil, err
		}
		out.Files = append(out.Files, c.done)
	}
	return out, nil
}
