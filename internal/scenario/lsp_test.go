package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/rpc"
)

// lspSurface calls tools through the editor's own connection to a server in
// this process.
type lspSurface struct {
	editor *fakeeditor.Editor
	served chan error // the server's end, once
}

// openLSP starts a server and an editor that is attached to it.
func openLSP(ctx context.Context, t testing.TB, w Workspace) (Surface, error) {
	return openLSPWith(ctx, t, w, func(*rpc.Config) {})
}

func openLSPWith(ctx context.Context, t testing.TB, w Workspace, adjust func(*rpc.Config)) (Surface, error) {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	served := make(chan error, 1)
	config := rpc.Config{Version: "test", CacheHome: w.StateDir, StateHome: w.StateDir, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	adjust(&config)
	go func() { served <- rpc.Serve(context.WithoutCancel(ctx), toServer, fromServer, config) }()
	s := &lspSurface{fakeeditor.New(duplex{toEditor, fromEditor}, w.Editor), served}
	if _, err := s.editor.Start(ctx); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

func (s *lspSurface) Editor() *fakeeditor.Editor { return s.editor }

func (s *lspSurface) Begin(tool string, args json.RawMessage) Call {
	return lspCall{s.editor.BeginCall(tool, args), s.editor}
}

func (s *lspSurface) Close(ctx context.Context) error {
	err := s.editor.Stop(ctx)
	return errors.Join(err, <-s.served)
}

type lspCall struct {
	*fakeeditor.Pending
	editor *fakeeditor.Editor
}

func (c lspCall) Cancel() { c.editor.Cancel(c.Pending) }

// duplex is one end of two pipes.
type duplex struct {
	io.ReadCloser
	to io.WriteCloser
}

func (d duplex) Write(p []byte) (int, error) { return d.to.Write(p) }

func (d duplex) Close() error { return errors.Join(d.ReadCloser.Close(), d.to.Close()) }
