package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

// lspSurface calls tools through the editor's own connection to a server in
// this process.
type lspSurface struct {
	editor *fakeeditor.Editor
	served chan error // the server's end, once
}

// OpenLSP starts a server and an editor that is attached to it.
func OpenLSP(ctx context.Context, t testing.TB, w Workspace) (Surface, error) {
	return openLSP(ctx, t, w, nil)
}

// OpenBackend starts a server and an editor that is attached to it, and a
// backend that finds them, as another process of the same user has one. The
// caller calls end before it closes the surface.
func OpenBackend(ctx context.Context, t testing.TB, w Workspace) (_ Surface, _ route.Backend, end func(), err error) {
	folder := filepath.Join(w.StateDir, "run")
	s, err := openLSP(ctx, t, w, []string{folder})
	if err != nil {
		return nil, nil, nil, err
	}
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	shared := core.New(core.Config{Background: func(func(context.Context)) bool { return false }, Log: log, Now: time.Now})
	var folders []workspace.Folder
	for _, root := range w.Editor.Roots {
		folders = append(folders, workspace.Folder{Name: root.Name, Path: root.Dir})
	}
	gate, _ := workspace.NewGate(nil, folders, settings.Default()) // what is wrong with them, the session says
	shared.SetGate(gate)
	router := session.NewRouter(session.RouterConfig{Folders: []string{folder}, Version: "test", Log: log, Now: time.Now})
	backend := route.New(route.Config{Router: router, Core: shared, Log: log})
	return s, backend, func() { backend.Close(); shared.Close() }, nil
}

func openLSP(ctx context.Context, t testing.TB, w Workspace, sessions []string) (Surface, error) {
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	served := make(chan error, 1)
	config := rpc.Config{
		Version: "test", CacheHome: w.StateDir, StateHome: w.StateDir, SessionFolders: sessions,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	go func() { served <- rpc.Serve(context.WithoutCancel(ctx), toServer, fromServer, config) }()
	s := &lspSurface{fakeeditor.New(duplex{toEditor, fromEditor}, w.Editor), served}
	if _, err := s.editor.Start(ctx); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

// AwaitServer waits until the server has seen everything that the editor told it.
// What it asks for is quickly answered, in the order of arrival.
func AwaitServer(ctx context.Context, editor *fakeeditor.Editor) error {
	_, err := editor.Request(ctx, "agent/stats", nil)
	return err
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

// onlyOverLSP are scenarios that other surfaces answer otherwise on purpose,
// each with why.
var onlyOverLSP = map[string]string{
	"bad/calls":                             "calls that break LSP's rules",
	"edit/cancelled":                        "a cancelled call is not answered over MCP",
	"bad/changes-that-cannot-be-followed":   "cancels a call",
	"editor/state-too-late":                 "cancels a call",
	"edit/editor-dies":                      "without the editor MCP goes on, on disk",
	"activity/told":                         "this test calls twice",
	"batch/editor-dies":                     "without the editor MCP goes on, on disk",
	"consent/cancelled":                     "a cancelled call is not answered over MCP",
	"consent/editor-dies":                   "without the editor MCP goes on, on disk",
	"edit/two-at-once":                      "the order of two ways is not that of one",
	"editor/diagnostics":                    "of a path outside the workspace no session is asked",
	"output/run-command-is-not-for-editors": "elsewhere the tool is there",
	"output/stats":                          "this test calls twice",
	"policy/machine-settings":               "paths outside the workspace are judged by the caller's settings",
	"roots/changed-at-run-time":             "the caller's folders stay",
	"roots/removed-under-an-open-document":  "the caller's folders stay",
}

// Each runs a subtest for each scenario below dir, by its name.
func Each(t *testing.T, dir string, run func(t *testing.T, name, path string)) {
	each(t, dir, 1, run)
}

// each is Each with the first of so many scenarios in each folder.
func each(t *testing.T, dir string, stride int, run func(t *testing.T, name, path string)) {
	seen := make(map[string]int) // by folder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		folder := filepath.Dir(path)
		if seen[folder]++; (seen[folder]-1)%stride != 0 {
			return nil
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), dir+"/"), ".txtar")
		t.Run(name, func(t *testing.T) {
			if why := cannotRun(t, path); why != "" {
				t.Skip(why)
			}
			t.Parallel()
			run(t, name, path)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// EachElsewhere runs a subtest for each scenario that holds for all ways to
// call tools, not for LSP alone. Under -short it takes a few of each folder.
func EachElsewhere(t *testing.T, dir string, run func(t *testing.T, path string)) {
	each(t, dir, testscale.Of(1, 6), func(t *testing.T, name, path string) {
		if why, only := onlyOverLSP[name]; only {
			t.Skip(why)
		}
		a, err := readArchive(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains("\n"+a.script, "\ncall persist_output") {
			t.Skip("elsewhere persist_output is not there, or is another command")
		}
		run(t, path)
	})
}

// WithoutEditorNote drops from an answer what it says when no session gave it,
// as about paths that are in none.
func WithoutEditorNote(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("no editor")) {
		return raw // the expression is slow, and answers are long
	}
	return editorNote.ReplaceAll(raw, nil)
}

var editorNote = regexp.MustCompile(`,"notes":\["no editor(?: is attached)?"\]|; no editor(?: is attached)?|(?:\\n|\n)\(no editor is attached\)`)
