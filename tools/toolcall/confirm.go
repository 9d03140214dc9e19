package toolcall

import (
	"context"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// ConsentTimeout is how long a person has to decide about a change, unless a
// front's configuration says otherwise. No answer in that time is a no.
const ConsentTimeout = 5 * time.Minute

// ConfirmRequest is what a person is asked to agree to: all that one call
// changes.
type ConfirmRequest struct {
	Client Client        `json:"client"`
	Tool   string        `json:"tool"`
	Files  []ConfirmFile `json:"files"`
	// Guarded reports whether a rule asks for consent to this change; without it,
	// the setting that has a person asked for every change does.
	Guarded bool `json:"-"`
	// Reason says in a few words why the person is asked.
	Reason string `json:"-"`
}

// ConfirmFile is one file of a request: Diff is a unified diff of all that
// changes in it.
type ConfirmFile struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
	// Text is what the file would hold, where the person may have it hold another;
	// nil where not.
	Text *string `json:"-"`
}

// Decision is what the person said. Reason is empty when they gave none.
type Decision struct {
	Apply  bool
	Reason string
	// Edited are the texts that the person wants in place of those that were
	// proposed, by the paths of the request; with Apply.
	Edited map[string]string
	// Files, Session: they agree to all further changes of these files, or to all
	// further changes, of the same client; with Apply, and not of guarded ones.
	Files, Session bool
}

// Confirm asks the person at the editor, or else who is behind the call. The
// error is no_editor when there is nobody to ask.
func (e *Env) Confirm(ctx context.Context, request ConfirmRequest) (Decision, error) {
	if e.Editor != nil {
		decision, err := e.Editor.Confirm(ctx, request)
		if fault.KindOf(err) != fault.NoEditor {
			return decision, err
		}
	}
	if e.Ask == nil {
		return Decision{}, ErrNoEditor
	}
	return e.Ask(ctx, request)
}
