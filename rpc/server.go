package rpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

// Config is what a server is started with.
type Config struct {
	// Version is the program's own.
	Version string
	// User are the person's own settings. What is wrong with them is told at the
	// editor.
	User settings.UserSettings
	// Flags are settings of that scope, as [settings.Settings.Merge] takes
	// them; they may be nil.
	Flags map[string]any
	// CacheHome is the folder for what can be made again, agent-lsp/ below it
	// is ours; absolute, "" keeps nothing between runs.
	CacheHome string
	// StateHome is the folder for what must last, agent-lsp/ below it is ours;
	// absolute, "" does without: then nothing undoes what a killed process left
	// half done.
	StateHome string
	// Own and Home are [core.Config]'s.
	Own  []string
	Home string
	// ConsentTimeout is how long a person has to decide about a change; 0 is
	// five minutes.
	ConsentTimeout time.Duration
	// Excludes is what the person has git ignore in all repositories: the bytes
	// of core.excludesFile.
	Excludes []byte
	// SessionFolders are where other processes of this user find this one; see
	// [session.ServeFolders]. Without any, they do not.
	SessionFolders []string
	// Log takes what happens; never source text. Level is its level, which
	// the setting log.level moves; it may be nil.
	Log   *slog.Logger
	Level *slog.LevelVar
	// Started is called, once or more often, when the first call is answered
	// or the index is about to be built; it may be nil.
	Started func()
	// ProgressEvery is how often a client hears of a long call, at most, and
	// how long a call takes that it hears of at all; 0 is 200 ms, less than 0
	// tells of everything.
	ProgressEvery time.Duration
	// Drain returns when what had been sent on the input before the call is read
	// and handled, or after a while without that; see [stdio.Open]. It may be nil.
	Drain func(context.Context)
}

// Limits of the work that runs behind the messages.
const (
	backgroundWorkers = 2
	backgroundQueue   = 1024
	// parentPoll is how often the editor's process is looked for.
	parentPoll = 3 * time.Second
)

// server is one editor's session.
type server struct {
	config Config
	log    *slog.Logger
	tools  []tools.Definition

	core     *core.Core
	store    *buffers.Store // the core's
	outlines *outline.Cache // the core's

	conn       *jsonrpc.Conn
	background *parallel.Group

	// open opens the session for other processes, under the context that the
	// server was made with; session is nil when that failed, or was not wanted.
	open    func()
	session *session.Server
	clients pendingClients

	// Set by initialize, on the read loop, before any other message runs.
	client client
	// What the gate is made of; touched on the read loop only.
	folders  []workspace.Folder
	settings settingsLayers
	reported map[string]bool // problems that were told already

	resyncs    resyncs
	applyLocks applyLocks
}

// Serve speaks LSP with one editor until the connection or the editor's
// process ends, and closes in and out. The error is nil after an orderly exit.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, config Config) error {
	ctx, cancel := context.WithCancelCause(ctx)
	return newServer(ctx, config).serve(ctx, cancel, in, out, parentPoll)
}

// serve runs the session. ctx is the one that the server was made with, cancel
// its end.
func (s *server) serve(ctx context.Context, cancel context.CancelCauseFunc, in io.ReadCloser, out io.WriteCloser, poll time.Duration) error {
	defer s.core.Close()
	defer s.background.Wait()
	defer cancel(nil)
	defer s.closeSession()
	s.background.Go(func(ctx context.Context) { s.watchParent(ctx, cancel, poll) })
	s.background.Go(s.watchReviews)
	s.background.Go(s.followDocuments)
	err := s.conn.Serve(ctx, in, out)
	if errors.Is(err, errParentDied) {
		return nil
	}
	return err
}

func newServer(ctx context.Context, config Config) *server {
	s := &server{
		config: config, log: config.Log,
		tools:      tools.All(),
		settings:   settingsLayers{user: config.User, flags: config.Flags},
		reported:   make(map[string]bool),
		applyLocks: applyLocks{docs: make(map[string]*applyLock)},
		resyncs:    resyncs{running: make(map[string]chan struct{})},
	}
	s.open = func() { s.openSession(ctx) }
	s.client.initialized = make(chan struct{})
	// The watch over the editor's process and the two of reviews take one each for good.
	s.background = parallel.NewGroup(ctx, backgroundWorkers+3, backgroundQueue, func(err error) {
		s.log.Error("background work failed", "error", err)
	})
	s.core = core.New(core.Config{
		CacheHome: config.CacheHome, StateHome: config.StateHome, Own: config.Own, Home: config.Home, Excludes: config.Excludes, Background: s.background.Go, Log: config.Log, Now: time.Now,
		Started: config.Started,
	})
	s.store, s.outlines = s.core.Store, s.core.Outlines
	s.rebuildGate()
	s.conn = jsonrpc.NewConn(s.routes(), codec{}, s.log)
	return s
}

// tell notifies the client as well as it can: nobody waits for it.
func (s *server) tell(ctx context.Context, method string, params any) {
	if err := s.conn.Caller().Notify(ctx, method, params); err != nil {
		s.log.Debug("the client is not told", "method", method, "error", err)
	}
}

// errParentDied ends a connection whose editor is no more.
var errParentDied = errors.New("the editor's process ended")

// watchParent ends the connection when the editor's process is gone though
// its pipes are still held open, by a child of its for example.
func (s *server) watchParent(ctx context.Context, end context.CancelCauseFunc, poll time.Duration) {
	select {
	case <-s.client.initialized:
	case <-ctx.Done():
		return
	}
	pid := s.client.pid
	if pid <= 0 {
		return
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !processAlive(pid) {
				end(errParentDied)
				return
			}
		}
	}
}
