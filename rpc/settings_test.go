package rpc

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/settings"
)

func TestSettingsThatCannotBeReadForbidEveryChange(t *testing.T) {
	for _, problem := range []error{nil, errors.New("not JSON")} {
		s := newServer(t.Context(), Config{User: settings.UserSettings{Problem: problem}, Log: slog.New(slog.DiscardHandler)})
		if got := s.core.Gate().Settings().Policy.ReadOnly; got != (problem != nil) {
			t.Errorf("with problem %v, read-only is %v", problem, got)
		}
		close(s.client.initialized) // what is to be told may be told
		s.background.Wait()
	}
}

func TestLaterLayersWin(t *testing.T) {
	layers := settingsLayers{
		user:  settings.UserSettings{Values: map[string]any{"edits.save": "never", "policy.readOnly": true}},
		flags: map[string]any{"policy.readOnly": true},
		editor: editorSettings{
			AgentLsp:        map[string]any{"policy.readOnly": false}, // a folder may not loosen
			AgentLspMachine: map[string]any{"edits.save": "always"},
		},
	}
	settings, problems := layers.merged()
	if !settings.Policy.ReadOnly || settings.Edits.Save != "always" {
		t.Errorf("merged to %+v", settings)
	}
	if len(problems) != 1 {
		t.Errorf("problems: %v", problems)
	}
}
