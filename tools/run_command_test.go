//go:build linux || darwin

package tools

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

type layer struct {
	scope  settings.Scope
	values map[string]any
}

// commandEnv is a workspace with the folders sub and .secrets.d, under the
// given settings.
func commandEnv(t *testing.T, layers ...layer) (*toolcall.Env, string) {
	t.Helper()
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"sub", ".ssh"} {
		if err := os.Mkdir(filepath.Join(work, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cfg := settings.Default()
	for _, l := range layers {
		cfg, _ = cfg.Merge(l.scope, l.values)
	}
	shared := core.New(core.Config{
		CacheHome: t.TempDir(), Background: func(func(context.Context)) bool { return false },
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	t.Cleanup(shared.Close)
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: work}}, cfg)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	shared.SetGate(gate)
	env := shared.Env(shared.Snapshot())
	env.Environment = []string{"PATH=" + os.Getenv("PATH"), "GREETING=hello"}
	t.Cleanup(env.Close)
	return env, work
}

func enabled(on bool) map[string]any { return map[string]any{"exec.enabled": on} }

func call(t *testing.T, env *toolcall.Env, name string, arguments map[string]any) toolcall.Result {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return Find(name).Call(t.Context(), env, raw)
}

// TestOnlyThePersonTurnsCommandsOn: what a workspace says can turn them off,
// never on.
func TestOnlyThePersonTurnsCommandsOn(t *testing.T) {
	for name, tt := range map[string]struct {
		layers []layer
		want   fault.Kind
	}{
		"by default":                   {nil, fault.PermissionDenied},
		"the person":                   {[]layer{{settings.User, enabled(true)}}, ""},
		"flags":                        {[]layer{{settings.Flags, enabled(true)}}, ""},
		"the workspace":                {[]layer{{settings.Workspace, enabled(true)}}, fault.PermissionDenied},
		"the workspace, off":           {[]layer{{settings.User, enabled(true)}, {settings.Workspace, enabled(false)}}, fault.PermissionDenied},
		"nothing may be changed":       {[]layer{{settings.User, map[string]any{"exec.enabled": true, "policy.readOnly": true}}}, fault.ReadOnly},
		"the person, then off by flag": {[]layer{{settings.User, enabled(true)}, {settings.Flags, enabled(false)}}, fault.PermissionDenied},
	} {
		env, work := commandEnv(t, tt.layers...)
		r := call(t, env, "run_command", map[string]any{"command": "touch made"})
		_, err := os.Stat(filepath.Join(work, "made"))
		if fault.KindOf(asError(r)) != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("%s: %v; the file: %v", name, r.Err, err)
		}
		available := Find("run_command").Available(env.Snapshot.Gate.Settings())
		if want := tt.want != fault.PermissionDenied; available != want {
			t.Errorf("%s: available is %v", name, available)
		}
	}
	if !Find("run_command").Local || Find("read_file").Local || !Find("read_file").Available(settings.Default()) {
		t.Error("the wrong tools are local")
	}
}

func asError(r toolcall.Result) error {
	if r.Err == nil {
		return nil
	}
	return r.Err
}

func TestRunCommandStaysInTheWorkspace(t *testing.T) {
	env, work := commandEnv(t, layer{settings.User, enabled(true)})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(work, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(work, "sub"), filepath.Join(work, "in")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string]string{"": work, ".": work, "sub": work + "/sub", work + "/sub": work + "/sub", "in": work + "/sub"} {
		r := call(t, env, "run_command", map[string]any{"command": "pwd", "cwd": cwd})
		if out, ok := r.Output.(*commandOutput); !ok || out.Stdout != want+"\n" {
			t.Errorf("in %q: %+v %v", cwd, out, r.Err)
		}
	}
	for cwd, want := range map[string]fault.Kind{
		"none": fault.NotFound, "file": fault.NotDirectory, "out": fault.OutsideWorkspace, outside: fault.OutsideWorkspace,
		"/.outputs": fault.OutsideWorkspace, "..": fault.OutsideWorkspace, ".ssh": fault.PermissionDenied,
	} {
		r := call(t, env, "run_command", map[string]any{"command": "touch made", "cwd": cwd})
		if fault.KindOf(asError(r)) != want {
			t.Errorf("in %q: %v, want %s", cwd, r.Err, want)
		}
		if want == fault.NotFound && r.Err.Message != "no such folder" {
			t.Errorf("in %q: %v", cwd, r.Err)
		}
	}
}

func TestRunCommandTellsHowItEnded(t *testing.T) {
	env, _ := commandEnv(t, layer{settings.User, enabled(true)})
	for command, want := range map[string]commandOutput{
		"echo $GREETING; exit 3": {Stdout: "hello\n", ExitCode: new(3), Success: new(false)},
		"echo e >&2":             {Stderr: "e\n", ExitCode: new(0), Success: new(true)},
		"kill -9 $$":             {ExitCode: new(137), Success: new(false), Signal: "SIGKILL"},
	} {
		got, ok := call(t, env, "run_command", map[string]any{"command": command}).Output.(*commandOutput)
		if !ok || got.Stdout != want.Stdout || got.Stderr != want.Stderr || *got.ExitCode != *want.ExitCode ||
			*got.Success != *want.Success || got.Signal != want.Signal || got.TimedOut {
			t.Errorf("%s: %+v", command, got)
		}
	}
	got, ok := call(t, env, "run_command", map[string]any{"command": "echo begun; sleep 600", "timeout_ms": 300}).Output.(*commandOutput)
	if !ok || !got.TimedOut || *got.Success || got.Stdout != "begun\n" || len(got.Notes) != 1 {
		t.Errorf("%+v", got)
	}
	if r := call(t, env, "run_command", map[string]any{"command": ""}); fault.KindOf(asError(r)) != fault.InvalidParams {
		t.Errorf("%v", r.Err)
	}
}

// TestWhatIsKeptIsRead: the answer names files that read_file reads.
func TestWhatIsKeptIsRead(t *testing.T) {
	env, _ := commandEnv(t, layer{settings.User, enabled(true)})
	r := call(t, env, "run_command", map[string]any{"command": "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done", "output": "silent"})
	out, ok := r.Output.(*commandOutput)
	if !ok || !out.Truncated || out.TotalLines != 5000 || !strings.Contains(r.Header, out.FullOutput) {
		t.Fatalf("%+v", r)
	}
	read := call(t, env, "read_file", map[string]any{"path": out.FullOutput, "start_line": 4711, "end_line": 4711})
	if read.Body != "4711|line 4710" {
		t.Errorf("%q %v", read.Body, read.Err)
	}
}

func TestCancelledCommandsAreErrors(t *testing.T) {
	env, _ := commandEnv(t, layer{settings.User, enabled(true)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Find("run_command").Call(ctx, env, []byte(`{"command":"sleep 600"}`))
	if fault.KindOf(asError(r)) != fault.Cancelled {
		t.Errorf("%+v", r)
	}
}
