package rpc

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// changedReview is a file in agent/review/changed.
type changedReview struct {
	URI   string `json:"uri"`
	Hunks int    `json:"hunks"`
}

// watchReviews follows what becomes of documents that agents changed, and tells a
// client that wants it when hunks come or go, until ctx ends.
func (s *server) watchReviews(ctx context.Context) {
	reviews := s.core.Reviews()
	for {
		news, ok := reviews.Next(ctx)
		if !ok {
			return
		}
		if !s.client.abilities.Review {
			continue
		}
		var params struct {
			Files []changedReview `json:"files"`
		}
		for _, n := range news {
			if s.core.Gate().CheckRead(n.Path) == nil {
				params.Files = append(params.Files, changedReview{s.uriOf(n.Path), n.Hunks})
			}
		}
		if len(params.Files) > 0 {
			s.tell(ctx, "agent/review/changed", params)
		}
	}
}

// followDocuments has the reviews follow what happens to documents, until ctx ends.
func (s *server) followDocuments(ctx context.Context) {
	feed := s.store.Feed()
	defer feed.Close()
	s.core.Reviews().Follow(ctx, feed)
}

// uriOf returns how the editor spells a path.
func (s *server) uriOf(p workspace.Path) string {
	if d := s.store.Overlay().Get(p.Key()); d != nil {
		return d.URI
	}
	return p.URI
}

// followParams are those of agent/follow.
type followParams struct {
	URI    string          `json:"uri"`
	Range  protocol.Range  `json:"range"`
	Client toolcall.Client `json:"client"`
	Kind   string          `json:"kind"`
}
