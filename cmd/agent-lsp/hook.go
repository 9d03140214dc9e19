package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/hook"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

type hookCommand struct {
	Host  string `arg:"" help:"claude, codex, gemini, qwen or copilot."`
	Event string `arg:"" optional:"" help:"The event, for hosts that do not tell it."`
}

// maxHookInput is how much a host may tell a hook, in bytes. A tool's answer is
// part of it.
const maxHookInput = 64 << 20

// hookTimeout is how long a hook may take: hosts wait for it.
const hookTimeout = 20 * time.Second

// Run answers one run of a hook. Whatever is wrong on our side is told on standard
// error alone, with an exit code that lets the host go on.
func (c hookCommand) Run() error {
	out, err := c.answer()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agent-lsp hook:", oneLine(fault.From(err).Error()))
	}
	_, _ = os.Stdout.Write(out)
	return nil
}

func (c hookCommand) answer() ([]byte, error) {
	host, ok := hook.HostOf(c.Host)
	if !ok {
		return nil, fault.New(fault.InvalidParams, "no hooks are known of %q", c.Host)
	}
	in, err := io.ReadAll(io.LimitReader(os.Stdin, maxHookInput+1))
	switch {
	case err != nil:
		return nil, err
	case len(in) > maxHookInput:
		return nil, fault.New(fault.FileTooLarge, "%s told more than %d MB", host.Title, maxHookInput>>20)
	}
	events, err := hook.Parse(host, c.Event, in)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookTimeout)
	defer cancel()
	router := session.NewRouter(session.RouterConfig{
		Folders: sessionFolders(), Only: os.Getenv("AGENT_LSP_SESSION"), Version: version, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	defer router.Close()
	return hook.Answer(ctx, events, router, savesBefore)
}

// savesBefore reports whether the person's own settings have unsaved files saved
// before commands.
func savesBefore() bool {
	settings, _ := settingsUnder(nil)
	return settings.Hooks.Save
}
