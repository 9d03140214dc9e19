package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// The work that no answer waits for.
const (
	backgroundWorkers = 2
	backgroundQueue   = 1024
)

// openBackend returns what answers calls of tools: live sessions, or the disk
// below roots, the folders that a flag names; none for the working directory.
// oneCall is for commands. end ends it.
func openBackend(ctx context.Context, roots []string, cfg settings.Settings, log *slog.Logger, oneCall bool) (_ route.Backend, end func(), _ error) {
	folders, err := foldersOf(roots)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	background := parallel.NewGroup(ctx, backgroundWorkers, backgroundQueue, func(err error) {
		log.Error("background work failed", "error", err)
	})
	shared := core.New(core.Config{
		CacheHome: cacheHome(), StateHome: stateHome(), Own: ownPlaces(), Home: homeDir(), Excludes: gitExcludes(), Background: background.Go, Log: log, Now: time.Now,
		OneCall: oneCall,
	})
	gate, problems := workspace.NewGate(nil, folders, cfg)
	for _, p := range problems {
		log.Warn("folders", "problem", p)
	}
	shared.SetGate(gate)
	environment := os.Environ()
	backend := route.New(route.Config{
		Router: session.NewRouter(session.RouterConfig{
			Folders: sessionFolders(), Only: os.Getenv("AGENT_LSP_SESSION"), Version: version, Log: log, Now: time.Now,
		}),
		Core: shared, Log: log, Limit: len(roots) > 0, Home: homeDir(),
		Complete: func(env *toolcall.Env, _ session.Call) { env.Environment = environment },
	})
	return backend, func() {
		backend.Close()
		cancel()
		background.Wait()
		shared.Close()
	}, nil
}

// commandBackend is openBackend for one command, which tells the person what is
// wrong with their settings.
func commandBackend(ctx context.Context, roots []string) (_ route.Backend, end func(), _ error) {
	cfg, problems := settingsUnder(nil)
	for _, p := range problems {
		codeOf(p)
	}
	return openBackend(ctx, roots, cfg, slog.New(slog.DiscardHandler), true)
}

// settingsUnder are the person's own settings under those of flags. Until the
// person's can be read nothing is changed: they may forbid it.
func settingsUnder(flags map[string]any) (settings.Settings, []error) {
	user := settings.LoadUser(configHome())
	cfg, problems := settings.Default().Merge(user.Scope, user.Values)
	cfg, more := cfg.Merge(settings.Flags, flags)
	problems = append(problems, more...)
	cfg.Policy.ReadOnly = cfg.Policy.ReadOnly || user.ForbidsAll()
	if user.Problem != nil {
		problems = append(problems, user.Problem)
	}
	return cfg, problems
}

// foldersOf are the folders to work in: those that are named, else the working
// directory.
func foldersOf(named []string) ([]workspace.Folder, error) {
	if len(named) == 0 {
		named = []string{"."}
	}
	var folders []workspace.Folder
	for _, name := range named {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fault.New(fault.NotFound, "there is no such folder").At(name)
		case err != nil:
			return nil, fault.From(err).At(name)
		case !info.IsDir():
			return nil, fault.New(fault.NotDirectory, "it is a file, and a folder is wanted").At(name)
		}
		folders = append(folders, workspace.Folder{Path: path})
	}
	return folders, nil
}
