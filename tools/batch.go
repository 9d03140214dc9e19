package tools

import (
	"context"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/settings"
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
	// lastRead: where expected is "", or was found in that way, it is the text
	// that the caller read last.
	lastRead bool
	// find finds the edits of that text: of wishEdit and wishMove, which
	// change no text when it is nil.
	find asked
	// content is the whole text of wishCreate; where raw is not nil the file's
	// bytes are these instead.
	content string
	raw     []byte
	// encoding overrides that of the call, for one file.
	encoding text.Encoding
	// mode returns the permission bits that the file is to have instead of
	// those that it has, 0 for a new file; nil leaves them. A wishEdit with
	// neither find nor mode wants nothing.
	mode func(now fs.FileMode) fs.FileMode
	// undone are the hunks that the wish takes back, where find found some.
	undone []ledger.Part
	// edited: it is what the person made of the caller's wish.
	edited bool
}

// wishes is what a call wants of all files: all of it becomes true, or
// nothing.
type wishes struct {
	tool    string // the tool's name
	onStale staleMode
	dryRun  bool
	save    saveMode
	// unseen: the caller need not know the texts that the files had before.
	unseen bool
	// person: the person at the editor wants it, who is not asked once more.
	person bool
	// named: the call's arguments name the one file by its path.
	named bool
	// encoding is that of new files, and of files on disk whose encoding was
	// only detected; "" when the call names none.
	encoding text.Encoding
	files    []wish
}

// maxWishes is how many files a call may change.
const maxWishes = 10_000

// run makes all wishes true, and merges edits where a text is another than
// they are meant for and the call wants that.
func (w wishes) run(ctx context.Context, env *Env) (*changeOutput, error) {
	if len(w.files) > maxWishes {
		return nil, fault.New(fault.InvalidParams, "%d files in one call; at most %d are taken", len(w.files), maxWishes)
	}
	b := &batch{wishes: w, env: env, agreed: make(map[string]bool)}
	for try := 1; ; {
		out, again, err := b.attempt(ctx)
		switch {
		case again: // a person was asked, and agreed
		case err == nil:
			return out, nil
		// It changed again on the way; what is merged is merged anew.
		case fault.KindOf(err) != fault.StaleFile || !w.merges(env) || try == maxMerges || ctx.Err() != nil:
			return nil, err
		default:
			try++
		}
		env.refresh()
	}
}

// merges tells whether a stale edit is merged.
func (w wishes) merges(env *Env) bool {
	mode := w.onStale
	if mode == "" {
		mode = staleMode(env.Snapshot.Gate.Settings().Edits.OnStale)
	}
	return mode == staleMode(settings.OnStaleMerge)
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
	inOrder []*change // the changes as they are made
	// freed are the keys of files that are deleted or moved away: their names
	// are free for others.
	freed map[string]bool
	// unasked is what a person has to agree to first, agreed the keys of that
	// to which they did.
	unasked []unasked
	agreed  map[string]bool
	// agreedTo tells what they were shown then.
	agreedTo text.Hash
	// held keeps the files from being looked at while they are changed.
	held *review.Hold
}

// unasked is a path whose change needs consent, with the error for when
// nobody can be asked.
type unasked struct {
	path workspace.Path
	err  *fault.Error
}

// real is where links lead from the path; "" when there are none.
func (u unasked) real() string {
	real, _ := u.err.Details["real"].(string)
	return real
}

// guarded tells whether a rule of its own asks for consent to the change.
func (u unasked) guarded() bool { return u.err.Details["rule"] != workspace.RuleConfirmAlways }

func (u unasked) key() string { return u.path.Key() + "\x00" + u.real() }

// attempt makes the wishes true of the files as they are now. When a person
// was asked, and agreed, nothing was done yet and again is true.
func (b *batch) attempt(ctx context.Context) (out *changeOutput, again bool, err error) {
	if err := b.plan(ctx); err != nil {
		return nil, false, err
	}
	if ctx.Err() != nil {
		return nil, false, fault.From(ctx.Err())
	}
	if err := b.stillAgreed(); err != nil {
		return nil, false, err
	}
	if again, err := b.consent(ctx); again || err != nil {
		return nil, again, err
	}
	b.hold()
	defer b.held.Release()
	// Once it begins, cancelling ctx is ignored: half an edit helps nobody.
	if err := b.land(context.WithoutCancel(ctx)); err != nil {
		return nil, false, b.rememberLeft(b.overtaken(ctx, err))
	}
	out = &changeOutput{DryRun: b.dryRun}
	for i, c := range b.changes {
		if !b.dryRun {
			c.done.hunks = c.hunks()
			if c.wish.edited {
				c.note("The person edited the change before it landed.")
			}
			c.done.told = c.told(b.env)
		}
		if b.named {
			c.done.asked = b.files[i].path
		}
		out.Files = append(out.Files, c.done)
	}
	if !b.dryRun {
		out.ID = b.remember()
	}
	return out, false, nil
}

// overtaken completes the error of a landing that a change of the text was
// quicker than, with what changed and whether the edits go together with it.
func (b *batch) overtaken(ctx context.Context, err error) error {
	if fault.KindOf(err) != fault.StaleFile || b.merges(b.env) {
		return err
	}
	b.env.refresh()
	if now := b.plan(ctx); fault.KindOf(now) == fault.StaleFile {
		return now
	}
	return err
}

// plan works out all changes, and changes nothing.
func (b *batch) plan(ctx context.Context) error {
	b.changes, b.unasked = nil, nil
	b.findFreed()
	for i := range b.files {
		c, err := b.planOne(ctx, &b.files[i])
		if err != nil {
			return err
		}
		c.wish = &b.files[i]
		b.changes = append(b.changes, c)
	}
	if err := b.eachOnce(); err != nil {
		return err
	}
	var err error
	if b.inOrder, err = landingOrder(b.changes); err != nil {
		return err
	}
	for _, c := range b.changes {
		if c.describe(); b.dryRun && c.done.Diff == "" { // nothing else tells what a new file would hold
			c.done.setDiff(c.diff())
		}
	}
	return nil
}
