package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
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
	r := s.arrived()
	r.caller = s.conn.Caller()
	call := &toolCall{Name: "read_file", Arguments: []byte(`{"path":"f.go","format":"plain"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.callTool(ctx, call); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenLarge is a didOpen of 100 MB, from the pipe to the decoded text.
func BenchmarkOpenLarge(b *testing.B) {
	in, toServer, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	fromServer, out, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer fromServer.Close()
	send := func(body string) {
		if _, err := fmt.Fprintf(toServer, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			b.Fatal(err)
		}
	}
	ready, opened := make(chan struct{}), make(chan error)
	conn := jsonrpc.NewConn(map[string]jsonrpc.Route{
		"initialize": jsonrpc.Inline(ignore),
		"initialized": jsonrpc.Notification(func(context.Context, *jsonrpc.Caller, jsonrpc.RawMessage) (any, error) {
			close(ready)
			return nil, nil
		}),
		"textDocument/didOpen": jsonrpc.Notification(func(_ context.Context, _ *jsonrpc.Caller, params jsonrpc.RawMessage) (any, error) {
			_, err := parseOpened(params)
			opened <- err
			return nil, nil
		}),
	}, codec{}, slog.New(slog.DiscardHandler))
	done := make(chan error)
	go func() { done <- conn.Serve(b.Context(), in, out) }()
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	send(`{"jsonrpc":"2.0","method":"initialized"}`)
	<-ready
	body := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":` + string(benchOpen(2_400_000)) + `}`
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		send(body)
		if err := <-opened; err != nil {
			b.Fatal(err)
		}
	}
	_ = toServer.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}
