package rpc

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// BenchmarkReadFile measures a call without the connection around it.
func BenchmarkReadFile(b *testing.B) {
	dir := b.TempDir()
	content := strings.Repeat("\tname := compute(1, \"value\") // a comment\n", 250)
	if err := os.WriteFile(filepath.Join(dir, "f.go"), []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	s := newServer(ctx, Config{Log: slog.New(slog.DiscardHandler)})
	defer s.background.Wait()
	defer cancel()
	s.folders = []workspace.Folder{{Name: "root", Path: dir}}
	s.rebuildGate()
	ctx, _ = s.arrive(ctx)
	call := &toolCall{Name: "read_file", Arguments: []byte(`{"path":"f.go","format":"plain"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.callTool(ctx, call); err != nil {
			b.Fatal(err)
		}
	}
}
