package tools

import (
	"context"
	"fmt"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

var runCommand = tool[runInput, *commandOutput]{
	name: "run_command",
	doc: `Run a line of shell (/bin/sh -c) in the workspace and get the part of its output that tells what happened: errors before noise, in order. ` +
		`The whole streams are kept as files under /.outputs/ for read_file and grep_files. ` +
		`The command gets no input, and everything that it started ends with it. ` +
		`Only where the person's own settings have exec.enabled, and never for editors.`,
	changes: true,
	local:   true,
	needs:   func(s settings.Settings) bool { return s.Exec.Enabled },
	run:     runRunCommand,
}

type runInput struct {
	Command   string      `json:"command" jsonschema:"The line of shell."`
	Cwd       string      `json:"cwd,omitempty" brief:"default: the workspace folder" jsonschema:"The folder of the workspace to run it in; the workspace folder when absent."`
	TimeoutMs *uint64     `json:"timeout_ms,omitempty" brief:"default 120000, at most 3600000" jsonschema:"When the command is ended, in milliseconds (default 120000, at most 3600000)."`
	Output    outputLevel `json:"output,omitempty" jsonschema:"How much is shown: silent (200 bytes), concise (2 KiB, the default), normal (8 KiB), verbose (16 KiB), full (at most 256 KiB)."`
}

func runRunCommand(ctx context.Context, env *toolcall.Env, in runInput) (*commandOutput, error) {
	if err := mayRun(env, in.Command); err != nil {
		return nil, err
	}
	dir, err := workingFolder(env, in.Cwd)
	if err != nil {
		return nil, err
	}
	timeout, note := in.timeout()
	r, err := record(env, "", in.Output)
	if err != nil {
		return nil, err
	}
	ended, err := output.Run(ctx, output.Command{
		Args: output.Shell(in.Command), Dir: dir, Env: env.Environment, Timeout: timeout,
	}, r)
	out := describeOutput(r.Finish())
	if err != nil {
		return nil, err
	}
	out.ended(ended)
	if ended.TimedOut {
		note = fmt.Sprintf("The command was ended after %d ms; \"timeout_ms\" gives it longer.", timeout.Milliseconds())
	}
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	return out, nil
}

// mayRun refuses what the person did not ask for.
func mayRun(e *toolcall.Env, command string) error {
	s := e.Snapshot.Gate.Settings()
	switch {
	case !s.Exec.Enabled:
		return fault.New(fault.PermissionDenied, "running commands is off").
			Advise(`only the person can turn it on: "exec": {"enabled": true} in agent-lsp/config.json of their configuration folder; a workspace's settings cannot`).
			With("rule", "exec.enabled")
	case s.Policy.ReadOnly:
		return fault.New(fault.ReadOnly, "the setting policy.readOnly forbids every change, and a command could make one").
			Advise("tell the person; only their own settings lift it")
	case command == "":
		return fault.New(fault.InvalidParams, `"command" is empty`)
	}
	return nil
}

// workingFolder returns the real path of the folder to run in.
func workingFolder(e *toolcall.Env, cwd string) (string, error) {
	if cwd == "" {
		roots := e.Snapshot.Gate.Folders()
		if len(roots) != 1 {
			return "", fault.New(fault.InvalidParams, `there are %d workspace folders; "cwd" says which one`, len(roots))
		}
		cwd = roots[0].Path
	}
	p, err := e.Snapshot.Resolve(cwd)
	if err != nil {
		return "", err
	}
	return e.Snapshot.Gate.WorkingFolder(p)
}

func (in runInput) timeout() (limit time.Duration, note string) {
	ms := toolcall.NumberOr(toolcall.NonZero(in.TimeoutMs), int(output.DefaultTimeout.Milliseconds()))
	most := int(output.MaxTimeout.Milliseconds())
	if ms > most {
		return output.MaxTimeout, fmt.Sprintf("%q is at most %d.", "timeout_ms", most)
	}
	return time.Duration(ms) * time.Millisecond, ""
}
