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

// hookTimeout is how long a hook may take, with the reading of what it is told:
// hosts wait for it.
const hookTimeout = 20 * time.Second

// hookCode returns the exit code of a wrong use, for hooks another one than that: hosts
// take 2 for a refusal of what their tool was about to do.
func hookCode(code int) int {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		return codeToolError
	}
	return code
}

// Run answers one run of a hook. Whatever is wrong on our side is told on standard
// error alone, with an exit code that lets the host go on.
func (c hookCommand) Run() error { //nolint:unparam // kong wants an error
	out, err := c.answer()
	if err != nil {
		fmt.Fprintln(os.Stderr, "agent-lsp hook:", oneLine(fault.From(err).Error()))
	}
	_, _ = os.Stdout.Write(out)
	return nil
}

func (c hookCommand) answer() (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // the program would end as if it refused
			out, err = nil, fault.New(fault.Internal, "the hook failed: %v", p)
		}
	}()
	host, ok := hook.HostOf(c.Host)
	if !ok {
		return nil, fault.New(fault.InvalidParams, "no hooks are known of %q", c.Host)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookTimeout)
	defer cancel()
	late := context.AfterFunc(ctx, func() { // a read of standard input cannot be broken off
		fmt.Fprintf(os.Stderr, "agent-lsp hook: %s did not end what it tells within %v\n", host.Title, hookTimeout)
		os.Exit(codeToolError)
	})
	in, err := io.ReadAll(io.LimitReader(os.Stdin, maxHookInput+1))
	late()
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
