package rpc

import (
	"context"
	"time"

	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

type checkpoint struct {
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Client string    `json:"client,omitempty"`
	Reason string    `json:"reason"`
	Files  int       `json:"files"`
}

func (r *request) listCheckpoints(context.Context, *struct{}) (any, error) {
	r.core.OpenHistory()
	var out struct {
		Checkpoints []checkpoint `json:"checkpoints"`
	}
	out.Checkpoints = []checkpoint{}
	for _, c := range r.core.Reviews().Checkpoints() {
		out.Checkpoints = append(out.Checkpoints, checkpoint{c.ID(), c.Time, c.Client, c.Reason, c.Files})
	}
	return out, nil
}

type restoreParams struct {
	ID     string `json:"id"`
	DryRun bool   `json:"dry_run"`
}

// restored is the answer to agent/checkpoint/restore.
type restored struct {
	Files  []restoredFile   `json:"files"`
	ID     string           `json:"id,omitempty"`
	Failed []restoredFailed `json:"failed"`
}

type restoredFile struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

type restoredFailed struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func (r *request) restoreCheckpoint(ctx context.Context, in *restoreParams) (any, error) {
	env := r.env(toolcall.Client{Name: r.client.name})
	defer func() { env.Close() }()
	env.Person = true
	done, err := change.RestoreCheckpoint(ctx, env, in.ID, in.DryRun)
	if err != nil {
		return nil, err
	}
	out := restored{Files: []restoredFile{}, ID: done.ID, Failed: []restoredFailed{}}
	for _, f := range done.Files {
		out.Files = append(out.Files, restoredFile(f))
	}
	for _, f := range done.Failed {
		out.Failed = append(out.Failed, restoredFailed{f.ID, f.Reason})
	}
	return out, nil
}

// clearHistory forgets what agents changed in this workspace.
func (r *request) clearHistory(context.Context, *struct{}) (any, error) {
	r.core.OpenHistory()
	r.core.ClearHistory()
	return struct{}{}, nil
}
