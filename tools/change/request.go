package change

import (
	"context"
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Kind is what is to become of a file.
type Kind int

// The kinds of requests.
const (
	KindEdit   Kind = iota // its text or its mode
	KindCreate             // with a text or bytes
	KindDelete
	KindMove // to another path, edited on the way or not
)

// FileRequest is what a call asks for of one file.
type FileRequest struct {
	Kind Kind
	// Path names the file as the caller wrote it; To is where a move leads.
	Path, To string
	// Expected is the hash of the text that the request refers to, as the caller
	// gave it; KindCreate has none.
	Expected string
	// LastRead: where Expected is "", or was found in that way, it is the text
	// that the caller read last.
	LastRead bool
	// Find finds the edits of that text: of KindEdit and KindMove, which
	// change no text when it is nil.
	Find FindEdits
	// Content is the whole text of KindCreate; where Raw is not nil the file's
	// bytes are these instead.
	Content string
	Raw     []byte
	// Encoding overrides that of the call, for one file.
	Encoding text.Encoding
	// Mode returns the permission bits that the file is to have instead of
	// those that it has, 0 for a new file; nil leaves them. A KindEdit with
	// neither Find nor Mode changes nothing.
	Mode func(now fs.FileMode) fs.FileMode
	// undone are the hunks that the request takes back.
	undone []ledger.Part
	// edited: it is what the person made of the caller's request.
	edited bool
}

// Request is what a call asks for of all files: all of it is applied, or
// nothing.
type Request struct {
	Tool    string // the tool's name
	OnStale StaleMode
	DryRun  bool
	Save    SaveMode
	// Unseen: the caller need not know the texts that the files had before.
	Unseen bool
	// Person: the person at the editor wants it, who is not asked once more.
	Person bool
	// Named: the call's arguments name the one file by its path.
	Named bool
	// Encoding is that of new files, and of files on disk whose encoding was
	// only detected; "" when the call names none.
	Encoding text.Encoding
	Files    []FileRequest
}

// MaxFiles is how many files a call may change.
const MaxFiles = 10_000

// Run carries out the request, and merges edits where a text is another than
// they are meant for and the call wants that.
func (r Request) Run(ctx context.Context, env *toolcall.Env) (*Output, error) {
	if len(r.Files) > MaxFiles {
		return nil, fault.New(fault.InvalidParams, "%d files in one call; at most %d are taken", len(r.Files), MaxFiles)
	}
	b := &batch{Request: r, env: env, agreed: make(map[string]bool)}
	for try := 1; ; {
		out, again, err := b.attempt(ctx)
		switch {
		case again: // a person was asked, and agreed
		case err == nil:
			return out, nil
		// It changed again on the way; what is merged is merged again.
		case fault.KindOf(err) != fault.StaleFile || !r.merges(env) || try == maxMerges || ctx.Err() != nil:
			return nil, err
		default:
			try++
		}
		env.Refresh()
	}
}

// merges reports whether a stale edit is merged.
func (r Request) merges(env *toolcall.Env) bool {
	mode := r.OnStale
	if mode == "" {
		mode = StaleMode(env.Snapshot.Gate.Settings().Edits.OnStale)
	}
	return mode == StaleMode(settings.OnStaleMerge)
}

// SaveMode is what the call says, else what the settings say.
func (r Request) saveMode(env *toolcall.Env) SaveMode {
	if r.Save != "" {
		return r.Save
	}
	return SaveMode(env.Snapshot.Gate.Settings().Edits.Save)
}

// FindEdits finds the edits of a text that a call asks for.
type FindEdits func(text.Text) ([]diff.Edit, locate.Match, error)
