package rpc

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/tools"
)

// activityParams are the params of agent/activity.
type activityParams struct {
	Client  tools.Client `json:"client"`
	Tool    string       `json:"tool"`
	Path    string       `json:"path,omitempty"`
	Summary string       `json:"summary"`
	ID      string       `json:"id,omitempty"`
	Diff    string       `json:"diff,omitempty"`
	Error   string       `json:"error,omitempty"`
}

// Activity implements [tools.Editor].
func (e *editor) Activity(ctx context.Context, a tools.Activity) {
	if !e.client.abilities.Activity {
		return
	}
	if err := e.dispatch.notifyClient(ctx, "agent/activity", activityParams(a)); err != nil {
		e.log.Debug("agent/activity", "error", err)
	}
}

// maxCallers bounds how many clients are told of.
const maxCallers = 100

// callers are the clients that have called, the newest last.
type callers struct {
	mu   sync.Mutex
	list []caller
}

type caller struct {
	Name  string `json:"name"`
	Since string `json:"since"` // RFC 3339

	client tools.Client
}

// called notes a call of a client that named itself, and tells the editor of
// those that are new.
func (s *server) called(ctx context.Context, c tools.Client) {
	if c.Name == "" || !s.client.abilities.Activity {
		return
	}
	s.callers.mu.Lock()
	known := slices.ContainsFunc(s.callers.list, func(k caller) bool { return k.client == c })
	if !known {
		s.callers.list = append(s.callers.list, caller{c.Name, time.Now().UTC().Format(time.RFC3339), c})
		if len(s.callers.list) > maxCallers {
			s.callers.list = s.callers.list[1:]
		}
	}
	list := slices.Clone(s.callers.list)
	s.callers.mu.Unlock()
	if !known {
		s.tellCallers(ctx, list)
	}
}

// left notes that a client is gone.
func (s *server) left(ctx context.Context, c tools.Client) {
	s.callers.mu.Lock()
	before := len(s.callers.list)
	s.callers.list = slices.DeleteFunc(s.callers.list, func(k caller) bool { return k.client == c })
	list := slices.Clone(s.callers.list)
	s.callers.mu.Unlock()
	if len(list) < before {
		s.tellCallers(ctx, list)
	}
}

func (s *server) tellCallers(ctx context.Context, list []caller) {
	params := struct {
		Clients []caller `json:"clients"`
	}{list}
	if err := s.dispatch.notifyClient(ctx, "agent/clients", params); err != nil {
		s.log.Debug("agent/clients", "error", err)
	}
}
