package rpc

import (
	"context"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// activityParams are the params of agent/activity.
type activityParams struct {
	Client  toolcall.Client `json:"client"`
	Tool    string          `json:"tool"`
	Path    string          `json:"path,omitempty"`
	Summary string          `json:"summary"`
	ID      string          `json:"id,omitempty"`
	Diff    string          `json:"diff,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// Activity implements [toolcall.Editor].
func (e *editor) Activity(ctx context.Context, a toolcall.Activity) {
	if !e.client.abilities.Activity {
		return
	}
	e.tell(ctx, "agent/activity", activityParams(a))
}
