package toolcall

import (
	"context"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Editor is the attached editor, as far as tools ask something of it.
type Editor interface {
	Languages
	// Apply applies edits, which refer to the text of d, in the editor as one
	// undo step, and returns the version that the document had right after.
	// Errors: stale_file and not_applied (nothing was changed), buffer_unsure,
	// outcome_unknown.
	Apply(ctx context.Context, d *buffers.Document, edits []diff.Edit, label string) (version int32, err error)
	// AwaitResync waits a moment for the text of a document that is out of sync that the editor
	// is being asked for. It reports whether the document may be in sync now.
	AwaitResync(ctx context.Context, d *buffers.Document) bool
	// CanSave reports whether Save is there.
	CanSave() bool
	// Save asks the editor to save a document.
	Save(ctx context.Context, d *buffers.Document) (saved bool, err error)
	// Reload asks the editor to take the text on disk into a clean document.
	// It reports whether the document may have changed by that.
	Reload(ctx context.Context, d *buffers.Document) bool
	// DeleteFile lets the editor delete the file of a document that has no
	// unsaved changes, MoveFile lets it move that file. Errors: stale_file and
	// not_applied (nothing was changed), outcome_unknown.
	DeleteFile(ctx context.Context, d *buffers.Document) error
	MoveFile(ctx context.Context, d *buffers.Document, to workspace.Path) error
	// Confirm shows the person what a call changes and returns what they
	// decide. Errors: no_editor when the editor cannot ask anybody.
	Confirm(ctx context.Context, request ConfirmRequest) (Decision, error)
	// Activity tells the editor of a call that has ended.
	Activity(ctx context.Context, a Activity)
	// State reports what the person looks at. What it says fits the texts of a
	// snapshot of the present. Errors: no_editor when the editor's client does
	// not offer it, or failed; timeout.
	State(ctx context.Context) (*EditorState, error)
	// Diagnostics returns the editor's own of the file at a path, or of all
	// files when it is nil; then they come without spans. Where wait is positive
	// language servers are asked whether they are done with the present text, and
	// have so long for it; else nobody is asked. Errors are those of State.
	Diagnostics(ctx context.Context, of *workspace.Path, wait time.Duration) (*Diagnosed, error)
}

// EditorState is what a person looks at in the editor. Documents are named by
// their [workspace.Path.Key].
type EditorState struct {
	Active     string // "" when no document is
	Visible    []string
	Selections map[string][]text.Span // byte offsets; an empty span is a cursor
}

// Diagnosed is what the editor knows to be wrong.
type Diagnosed struct {
	List  []Diagnostic
	State Freshness
	// Waiting names the servers that are not done, or do not say.
	Waiting []string
}

// Freshness says whether diagnostics are about the present text.
type Freshness string

// The states.
const (
	Current Freshness = "settled" // they are, and there are no others
	Pending Freshness = "pending" // some server is not done with it
	Unknown Freshness = "unknown" // some server does not say
)

// Diagnostic is what the editor knows to be wrong, from language servers and
// linters.
type Diagnostic struct {
	Path     workspace.Path
	Line     int       // where it begins, 0-based as the editor counts
	Span     text.Span // bytes of the present text
	Severity Severity
	Message  string
	Source   string // who says so
	Code     string
}

// Severity is LSP's: 1 is an error, 4 a hint.
type Severity int

// The severities.
const (
	SeverityError Severity = iota + 1
	SeverityWarning
	SeverityInfo
	SeverityHint
)

// String returns the severity's name.
func (s Severity) String() string {
	switch s {
	case SeverityWarning:
		return "warning"
	case SeverityInfo:
		return "info"
	case SeverityHint:
		return "hint"
	}
	return "error"
}

// ErrNoEditor is the error of what only an editor can answer.
var ErrNoEditor = fault.New(fault.NoEditor, "no editor is attached").
	Advise("What is open and what is wrong is known to the editor alone: open the workspace in one that runs agent-lsp, or run the project's own checks.")

// Activity is what a person at the editor is told of a call.
type Activity struct {
	Client  Client
	Tool    string
	Path    string // the file that the call is about; "" for none or several
	Summary string // one line
	ID      string // of the change, for revert_edit; "" when nothing was changed
	Diff    string // of all that was changed
	Error   string // why the call failed; "" when it did not
	// Files are those that the call changed.
	Files []ActivityFile
	// Group is the same for the calls of one turn of one client.
	Group string
	// Place is what the client read or changed; nil where that is no place.
	Place *ActivityPlace
}

// ActivityPlace is lines of a file, half open, from 0.
type ActivityPlace struct {
	Path       workspace.Path
	Start, End int
	Edited     bool // else it was read
}

// ActivityFile is what became of a file. Diff is of all that changed in it, of a
// created one against nothing.
type ActivityFile struct {
	Path   string `json:"path"`
	URI    string `json:"uri"`
	Status string `json:"status"`
	From   string `json:"from,omitempty"`
	Diff   string `json:"diff,omitempty"`
}
