package change

import (
	"context"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// batch is a request that is being carried out.
type batch struct {
	Request
	env     *toolcall.Env
	changes []*fileChange
	inOrder []*fileChange // the changes as they are made
	// freed are the keys of files that are deleted or moved away: their names
	// are free for others.
	freed map[string]bool
	// pending is what a person has to agree to first, agreed the keys of that
	// to which they did.
	pending []pendingConsent
	agreed  map[string]bool
	// agreedTo is what they were shown then.
	agreedTo text.Hash
	// held keeps the files from being looked at while they are changed.
	held *review.Hold
}

// attempt carries the request out on the files as they are now. When a person
// was asked, and agreed, nothing was done yet and again is true.
func (b *batch) attempt(ctx context.Context) (out *Output, again bool, err error) {
	if err := b.plan(ctx); err != nil {
		return nil, false, err
	}
	if ctx.Err() != nil {
		return nil, false, fault.From(ctx.Err())
	}
	if err := b.checkAgreed(); err != nil {
		return nil, false, err
	}
	if again, err := b.consent(ctx); again || err != nil {
		return nil, again, err
	}
	var verdict *toolcall.Verdict
	if !b.DryRun {
		verdict = toolcall.BeforeEdit(ctx, b.env)
	}
	b.hold()
	defer b.held.Release()
	// Once it begins, cancelling ctx is ignored: half an edit helps nobody.
	if err := b.apply(context.WithoutCancel(ctx)); err != nil {
		return nil, false, b.rememberLeftovers(b.explainStale(ctx, err))
	}
	out = &Output{DryRun: b.DryRun}
	for i, c := range b.changes {
		if !b.DryRun {
			c.done.hunks = c.hunks()
			if c.request.edited {
				c.note("The person edited the change before it landed.")
			}
			c.done.Told = c.told(b.env)
		}
		if b.Named {
			c.done.AskedPath = b.Files[i].Path
		}
		out.Files = append(out.Files, c.done)
	}
	if !b.DryRun {
		out.ID = b.remember()
		out.Diagnostics = b.env.Verdicts.Keep(ctx, b.env, verdict, out.ID)
	}
	return out, false, nil
}

// explainStale completes the error of a change that was not applied because the text
// had changed meanwhile, with what changed and whether the edits go together with it.
func (b *batch) explainStale(ctx context.Context, err error) error {
	if fault.KindOf(err) != fault.StaleFile || b.merges(b.env) {
		return err
	}
	b.env.Refresh()
	if now := b.plan(ctx); fault.KindOf(now) == fault.StaleFile {
		return now
	}
	return err
}

// plan works out all changes, and changes nothing.
func (b *batch) plan(ctx context.Context) error {
	b.changes, b.pending = nil, nil
	b.findFreedNames()
	for i := range b.Files {
		c, err := b.planOne(ctx, &b.Files[i])
		if err != nil {
			return err
		}
		c.request = &b.Files[i]
		b.changes = append(b.changes, c)
	}
	if err := b.checkNames(); err != nil {
		return err
	}
	var err error
	if b.inOrder, err = applyOrder(b.changes); err != nil {
		return err
	}
	for _, c := range b.changes {
		if c.describe(); b.DryRun && c.done.Diff == "" { // nothing else tells what a new file would hold
			c.done.setDiff(c.diff())
		}
	}
	return nil
}
