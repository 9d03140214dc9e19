package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc"
	"github.com/agent-lsp/agent-lsp/rpc/mcp"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

type mcpCommand struct {
	Stdio      bool     `help:"Accepted for hosts that insist; it is the default."`
	Root       []string `help:"Folder to work in; may be given again. Default: what the client says, else the working directory." placeholder:"DIR"`
	ReadOnly   bool     `help:"Serve only the tools that change nothing."`
	Tools      []string `help:"Serve these tools alone." placeholder:"NAME,…"`
	Structured bool     `help:"Send structuredContent beside the text, and output schemas."`
	HTTP       string   `name:"http" help:"Serve streamable HTTP here instead, for this machine alone: 127.0.0.1:8765." placeholder:"ADDR"`
	TokenFile  string   `help:"File with the token that HTTP clients must send; without it one is made up and printed." placeholder:"FILE"`
	LogLevel   string   `help:"debug, info, warn, error or off: setting log.level." placeholder:"LEVEL"`
	LogFile    string   `help:"Log to this file instead of standard error: setting log.file." placeholder:"FILE"`
}

// Run serves assistants.
func (c mcpCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	settings, problems := c.settings()
	log, closeLog := logTo(settings)
	defer closeLog()
	folders, err := foldersOf(c.Root)
	if err != nil {
		return err
	}
	for _, p := range problems {
		log.Warn("settings", "problem", p)
	}
	backend, end := openBackend(ctx, folders, settings, log)
	defer end()
	config := mcp.Config{
		Version: version, Backend: backend, Settings: settings, Only: c.Tools, ReadOnly: settings.Policy.ReadOnly,
		Structured: c.Structured, ClientRoots: len(c.Root) == 0, Log: log,
	}
	if c.HTTP != "" {
		return c.serveHTTP(ctx, config)
	}
	in, out := rpc.Stdio(os.Stdin, os.Stdout)
	return mcp.Serve(ctx, in, out, config)
}

func (c mcpCommand) serveHTTP(ctx context.Context, config mcp.Config) error {
	token, err := c.token()
	if err != nil {
		return err
	}
	listener, err := mcp.ListenLoopback(ctx, c.HTTP)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "agent-lsp: http://%s/ is served\n", listener.Addr())
	if c.TokenFile == "" {
		fmt.Fprintf(os.Stderr, "agent-lsp: clients send the header Authorization: Bearer %s\n", token)
	}
	return mcp.ServeHTTP(ctx, listener, token, config)
}

// token is what clients must know.
func (c mcpCommand) token() (string, error) {
	if c.TokenFile == "" {
		return rand.Text(), nil
	}
	raw, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return "", err
	}
	if raw = bytes.TrimSpace(raw); len(raw) < 16 {
		return "", fault.New(fault.InvalidParams, "the token is shorter than 16 bytes").At(c.TokenFile)
	}
	return string(raw), nil
}

// settings are the person's own under the flags. Until theirs can be read
// nothing is changed: they may forbid it.
func (c mcpCommand) settings() (workspace.Settings, []error) {
	flags := lspCommand{ReadOnly: c.ReadOnly, LogLevel: c.LogLevel, LogFile: c.LogFile}.flags()
	user, err := workspace.LoadUserSettings(configHome())
	settings, problems := workspace.DefaultSettings().Merge(workspace.User, user)
	settings, more := settings.Merge(workspace.Flags, flags)
	problems = append(problems, more...)
	if err != nil {
		settings.Policy.ReadOnly = true
		problems = append(problems, err)
	}
	return settings, problems
}

// logTo opens the log that settings name.
func logTo(settings workspace.Settings) (log *slog.Logger, closeLog func()) {
	out, closeLog, err := openLog(settings.Log.File)
	log = slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: levelOf(settings.Log.Level)}))
	if err != nil {
		log.Warn("the log file cannot be opened", "error", err)
	}
	return log, closeLog
}

func levelOf(l workspace.LogLevel) slog.Level {
	const off = slog.LevelError + 1
	levels := map[workspace.LogLevel]slog.Level{
		workspace.LogDebug: slog.LevelDebug, workspace.LogInfo: slog.LevelInfo, workspace.LogError: slog.LevelError, workspace.LogOff: off,
	}
	if level, known := levels[l]; known {
		return level
	}
	return slog.LevelWarn
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
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return nil, fault.New(fault.NotDirectory, "there is no such folder").At(name)
		}
		folders = append(folders, workspace.Folder{Path: path})
	}
	return folders, nil
}

// The work that no answer waits for.
const (
	backgroundWorkers = 2
	backgroundQueue   = 1024
)

// openBackend returns what answers calls of tools: live sessions, or the disk
// below folders. end ends it.
func openBackend(ctx context.Context, folders []workspace.Folder, settings workspace.Settings, log *slog.Logger) (_ session.Backend, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	background := parallel.NewGroup(ctx, backgroundWorkers, backgroundQueue, func(err error) {
		log.Error("background work failed", "error", err)
	})
	core := tools.NewCore(tools.CoreConfig{
		CacheHome: cacheHome(), Excludes: gitExcludes(), Background: background.Go, Log: log, Now: time.Now,
	})
	gate, problems := workspace.NewGate(nil, folders, settings)
	for _, p := range problems {
		log.Warn("folders", "problem", p)
	}
	core.SetGate(gate)
	environment := os.Environ()
	backend := session.NewBackend(session.BackendConfig{
		Router: session.NewRouter(session.RouterConfig{
			Folders: sessionFolders(), Only: os.Getenv("AGENT_LSP_SESSION"), Version: version, Log: log, Now: time.Now,
		}),
		Core: core, Log: log,
		Complete: func(env *tools.Env, _ session.Call) { env.Environment = environment },
	})
	return backend, func() {
		backend.Close()
		cancel()
		background.Wait()
		core.Close()
	}
}
