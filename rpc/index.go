package rpc

import (
	"context"
	"path/filepath"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
)

// openIndex opens the index of the workspace. Where it cannot be saved, it is
// in memory alone.
func (s *server) openIndex() {
	var cache *workspace.CacheFolder
	if filepath.IsAbs(s.config.CacheHome) {
		var err error
		cache, err = workspace.OpenCacheFolder(filepath.Join(s.config.CacheHome, "agent-lsp", "index"))
		if err != nil {
			s.log.Warn("the index cannot be saved", "error", err)
		}
	}
	s.index = search.NewIndexer(cache, s.background.Go, time.Now)
	s.search = search.New(s.catalog, s.index)
}

// sessionStats is what agent/stats answers.
type sessionStats struct {
	tools.Figures
	Index indexStats `json:"index"`
}

// indexStats tells how far the index of the workspace is. Sizes are in bytes.
type indexStats struct {
	Ready     bool   `json:"ready"` // nothing is being built
	Files     int    `json:"files"` // that are indexed
	Loose     int    `json:"loose"` // that are searched without it
	TextBytes int64  `json:"text_bytes"`
	DiskBytes int64  `json:"disk_bytes"`
	Problem   string `json:"problem,omitempty"` // why it cannot be saved
	// Watching tells that changes are told by the system; where they are not,
	// WhyNot says why, and files' times are compared at every search.
	Watching bool   `json:"watching"`
	WhyNot   string `json:"why_not,omitempty"`
}

// stats answers agent/stats: the figures of this session.
func (s *server) stats(context.Context, *struct{}) (any, error) {
	x, c := s.index.State(), s.catalog.State()
	i := indexStats{
		Ready: !x.Building && x.Files > 0, Files: x.Files, Loose: x.Loose, TextBytes: x.TextBytes, DiskBytes: x.DiskBytes,
		Watching: c.Watching, WhyNot: c.Why,
	}
	if x.Problem != nil {
		i.Problem = fault.From(x.Problem).Error()
	}
	raw, err := wire.Marshal(sessionStats{s.usage.Figures(), i}) // in one order
	return jsonrpc2.RawMessage(raw), err
}
