package scenario

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// Answer is what a tool call returned.
type Answer = fakeeditor.Answer

// Block is one element of an answer's content.
type Block = fakeeditor.Block

// Call is a tool call that may not be answered yet.
type Call interface {
	// Answer waits. An error means that the protocol failed, not the tool.
	Answer(ctx context.Context) (Answer, error)
	// Cancel asks for the call to be given up.
	Cancel()
}

// Surface is one way to call the tools.
type Surface interface {
	// Editor is the editor that is attached to the server which the surface
	// reaches.
	Editor() *fakeeditor.Editor
	// Begin calls a tool and does not wait.
	Begin(tool string, args json.RawMessage) Call
	// Close ends everything that Open started, and waits for it.
	Close(ctx context.Context) error
}

// Workspace is what a surface is opened on.
type Workspace struct {
	Editor   fakeeditor.Options // with the roots
	StateDir string             // for files that the server keeps for itself
}

// Open starts a server, an editor that is attached to it, and a way to call
// its tools.
type Open func(ctx context.Context, t testing.TB, w Workspace) (Surface, error)
