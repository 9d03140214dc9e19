package gatetest

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// New opens folders, given by path, under settings that tune adjusts;
// tune may be nil.
func New(t testing.TB, tune func(*settings.Settings), dirs ...string) *workspace.Gate {
	t.Helper()
	s := settings.Default()
	if tune != nil {
		tune(&s)
	}
	var folders []workspace.Folder
	for _, dir := range dirs {
		folders = append(folders, workspace.Folder{Path: dir})
	}
	g, problems := workspace.NewGate(nil, folders, s)
	if len(problems) > 0 {
		t.Fatalf("NewGate: %v", problems)
	}
	return g
}
