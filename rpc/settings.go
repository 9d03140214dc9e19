package rpc

import (
	"context"
	"log/slog"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// settingsLayers are the settings by where they come from.
type settingsLayers struct {
	user   settings.UserSettings
	flags  map[string]any
	editor editorSettings
}

// editorSettings are what the editor sends, at initialize and when they
// change. AgentLsp may hold what a workspace's own files say, so it can only
// tighten; AgentLspMachine is what the client vouches for as the user's own.
type editorSettings struct {
	AgentLsp        map[string]any `json:"agentLsp"`
	AgentLspMachine map[string]any `json:"agentLspMachine"`
}

// take reads the editor's settings; what is no object holds none.
func (l *settingsLayers) take(raw protocol.LSPAny) {
	var e editorSettings
	if wire.Unmarshal(raw, &e) == nil {
		l.editor = e
	}
}

// merged returns the settings that hold, and what is wrong with the layers.
func (l *settingsLayers) merged() (settings.Settings, []error) {
	cfg := settings.Default()
	var problems []error
	if l.user.Problem != nil {
		problems = append(problems, l.user.Problem)
	}
	for _, layer := range []struct {
		scope  settings.Scope
		values map[string]any
	}{
		{l.user.Scope, l.user.Values},
		{settings.Machine, l.editor.AgentLspMachine},
		{settings.Flags, l.flags},
		{settings.Workspace, l.editor.AgentLsp},
	} {
		var errs []error
		cfg, errs = cfg.Merge(layer.scope, layer.values)
		problems = append(problems, errs...)
	}
	cfg.Policy.ReadOnly = cfg.Policy.ReadOnly || l.user.ForbidsAll()
	return cfg, problems
}

func (s *server) didChangeConfiguration(_ context.Context, in *protocol.DidChangeConfigurationParams) (any, error) {
	s.settings.take(in.Settings)
	s.rebuildGate()
	return nil, nil
}

// rebuildGate makes the gate anew after folders or settings changed. Calls
// that run keep the one they began with.
func (s *server) rebuildGate() {
	cfg, problems := s.settings.merged()
	gate, more := workspace.NewGate(s.core.Gate(), s.folders, cfg)
	for _, p := range append(problems, more...) {
		s.report(p)
	}
	s.core.SetGate(gate)
	if s.config.Level != nil {
		s.config.Level.Set(logLevel(cfg.Log.Level))
	}
}

// report tells the person once of a problem with folders or settings.
func (s *server) report(problem error) {
	message := fault.From(problem).Error()
	if s.reported[message] {
		return
	}
	s.reported[message] = true
	s.log.Warn("settings", "problem", message)
	s.warn(message)
}

// warn shows the person a warning, once the editor takes messages.
func (s *server) warn(message string) {
	s.background.Go(func(ctx context.Context) {
		select {
		case <-s.client.initialized:
		case <-ctx.Done():
			return
		}
		params := &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: "agent-lsp: " + message}
		s.tell(ctx, "window/showMessage", params)
	})
}

func logLevel(l settings.LogLevel) slog.Level {
	switch l {
	case settings.LogDebug:
		return slog.LevelDebug
	case settings.LogWarn:
		return slog.LevelWarn
	case settings.LogError:
		return slog.LevelError
	case settings.LogOff:
		return slog.LevelError + 4
	}
	return slog.LevelInfo
}
