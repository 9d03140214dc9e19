package rpc

import (
	"path/filepath"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/output"
)

// openOutputs opens what keeps the output of commands. Without it everything
// else works.
func (s *server) openOutputs() {
	if !filepath.IsAbs(s.config.CacheHome) {
		return
	}
	store, err := output.OpenStore(s.config.CacheHome, time.Now)
	if err != nil {
		s.log.Warn("output of commands cannot be kept", "error", err)
		return
	}
	s.outputs = store
}

// saveUsage adds the session's figures to those of all sessions. They stay on
// this machine.
func (s *server) saveUsage() {
	if !filepath.IsAbs(s.config.CacheHome) {
		return
	}
	if err := s.usage.Save(s.config.CacheHome); err != nil {
		s.log.Warn("usage figures cannot be kept", "error", err)
	}
}
