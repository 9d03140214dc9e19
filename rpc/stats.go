package rpc

import (
	"context"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/usage"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// sessionStats is what agent/stats answers.
type sessionStats struct {
	usage.Figures
	Index *core.IndexFigures `json:"index,omitempty"`
}

// statsParams are those of agent/stats. Index asks how far the index is, too.
type statsParams struct {
	Index bool `json:"index"`
}

// stats answers agent/stats: the figures of this session.
func (s *server) stats(_ context.Context, in *statsParams) (any, error) {
	answer := sessionStats{Figures: s.core.Figures()}
	if in.Index {
		index := s.core.IndexFigures()
		answer.Index = &index
	}
	raw, err := wire.Marshal(answer) // in one order
	return jsonrpc.RawMessage(raw), err
}
