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

	Files []toolcall.ActivityFile `json:"files,omitempty"`
	Group string                  `json:"group,omitempty"`
}

// Activity implements [toolcall.Editor].
func (e *editor) Activity(ctx context.Context, a toolcall.Activity) {
	if p := a.Place; p != nil && e.client.abilities.Follow {
		kind := "read"
		if p.Edited {
			kind = "edit"
		}
		at := e.lineRange(nil, p.Start, p.End)
		e.tell(ctx, "agent/follow", followParams{e.uriOf(p.Path), at, a.Client, kind})
	}
	if !e.client.abilities.Activity {
		return
	}
	e.tell(ctx, "agent/activity", activityParams{
		Client: a.Client, Tool: a.Tool, Path: a.Path, Summary: a.Summary, ID: a.ID, Diff: a.Diff, Error: a.Error, Files: a.Files, Group: a.Group,
	})
}
