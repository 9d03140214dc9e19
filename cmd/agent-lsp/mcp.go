package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/rpc/mcp"
	"github.com/agent-lsp/agent-lsp/rpc/stdio"
)

type mcpCommand struct {
	Stdio      bool     `help:"Accepted for hosts that insist; it is the default."`
	Root       []string `help:"Folder to work in; may be given again. Default: what the client says, else the working directory." sep:"none" placeholder:"DIR"`
	ReadOnly   bool     `help:"Serve only the tools that change nothing."`
	Tools      []string `help:"Serve these tools alone." placeholder:"NAME"`
	Structured bool     `help:"Send structuredContent beside the text, and output schemas."`
	HTTP       string   `name:"http" help:"Serve streamable HTTP here instead, for this machine alone: 127.0.0.1:8765." placeholder:"ADDR"`
	TokenFile  string   `help:"File with the token that HTTP clients must send; without it one is made up and printed." placeholder:"FILE"`
	LogLevel   string   `help:"debug, info, warn, error or off: setting log.level." placeholder:"LEVEL"`
	LogFile    string   `help:"Log to this file instead of standard error: setting log.file." placeholder:"FILE"`
}

// Run serves assistants.
func (c mcpCommand) Run() error { return usageError(c.serve()) }

func (c mcpCommand) serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, problems := settingsUnder(lspCommand{ReadOnly: c.ReadOnly, LogLevel: c.LogLevel, LogFile: c.LogFile}.flags())
	log, closeLog := logTo(cfg)
	defer closeLog()
	for _, p := range problems {
		log.Warn("settings", "problem", p)
	}
	backend, end, err := openBackend(ctx, c.Root, cfg, log, false)
	if err != nil {
		return err
	}
	defer end()
	for i, name := range c.Tools {
		c.Tools[i] = strings.TrimSpace(name)
	}
	config := mcp.Config{
		Version: version, Backend: backend, Settings: cfg, Only: c.Tools, ReadOnly: cfg.Policy.ReadOnly,
		Structured: c.Structured, ClientRoots: len(c.Root) == 0, Log: log,
	}
	switch {
	case c.HTTP != "":
		return c.serveHTTP(ctx, config)
	case c.TokenFile != "":
		return fault.New(fault.InvalidParams, "--token-file is for --http").Advise("Give both, or none.")
	}
	in, out, _ := stdio.Open(os.Stdin, os.Stdout)
	if in == io.ReadCloser(os.Stdin) && isTerminal(os.Stdin) { // a read that nothing ends: a person tries it by hand
		defer context.AfterFunc(ctx, func() {
			end()
			os.Exit(codeCancelled)
		})()
	}
	config.Getenv = os.Getenv
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
	if info, err := os.Stat(c.TokenFile); err == nil && info.Mode().Perm()&0o044 != 0 && runtime.GOOS != "windows" {
		fmt.Fprintf(os.Stderr, "agent-lsp: others on this machine can read the token: chmod 600 %s\n", c.TokenFile)
	}
	raw, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return "", fault.From(err).At(c.TokenFile)
	}
	if raw = bytes.TrimSpace(raw); len(raw) < 16 {
		return "", fault.New(fault.InvalidParams, "the token is shorter than 16 bytes").At(c.TokenFile)
	}
	return string(raw), nil
}

// logTo opens the log that settings name.
func logTo(cfg settings.Settings) (log *slog.Logger, closeLog func()) {
	out, closeLog, err := openLog(cfg.Log.File)
	log = slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: levelOf(cfg.Log.Level)}))
	if err != nil {
		log.Warn("the log file cannot be opened", "error", err)
	}
	return log, closeLog
}

func levelOf(l settings.LogLevel) slog.Level {
	const off = slog.LevelError + 1
	levels := map[settings.LogLevel]slog.Level{
		settings.LogDebug: slog.LevelDebug, settings.LogInfo: slog.LevelInfo, settings.LogError: slog.LevelError, settings.LogOff: off,
	}
	if level, known := levels[l]; known {
		return level
	}
	return slog.LevelWarn
}
