package tools

import (
	"context"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
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

// asked finds the edits of a text that a call asks for.
type asked func(text.Text) ([]diff.Edit, matchRung, error)
