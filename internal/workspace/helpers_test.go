package workspace

import (
	"slices"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// gateOn opens folders, given by path, under settings that tune adjusts.
func gateOn(t testing.TB, tune func(*settings.Settings), dirs ...string) *Gate {
	t.Helper()
	s := settings.Default()
	if tune != nil {
		tune(&s)
	}
	var folders []Folder
	for _, dir := range dirs {
		folders = append(folders, Folder{Path: dir})
	}
	g, problems := NewGate(nil, folders, s)
	if len(problems) > 0 {
		t.Fatalf("NewGate: %v", problems)
	}
	return g
}

// opened is an isOpen that knows the given keys.
func opened(keys ...string) func(string) bool {
	return func(key string) bool { return slices.Contains(keys, key) }
}

// read opens arg through g as a caller would and returns what it reads.
func read(t testing.TB, g *Gate, arg string) (string, error) {
	t.Helper()
	p, err := g.Resolve(arg, nil)
	if err != nil {
		return "", err
	}
	h, err := g.Open(p)
	if err != nil {
		return "", err
	}
	defer h.Close()
	raw := make([]byte, 4096)
	n, _ := h.File.ReadAt(raw, 0)
	return string(raw[:n]), nil
}
