package tokens

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// toolSet is what a model can call in one conversation.
type toolSet interface {
	// call answers as the model would see it. An error ends the measurement;
	// what a tool refuses is an answer.
	call(c call) (string, error)
	stop()
}

// peers are the tool sets that ours is compared with, as the docs name them.
var peers = []struct{ set, name, version string }{
	{"claude", "Claude Code", claudeVersion},
	{"codex", "Codex", "0.169.0"},
	{"serena", "Serena", serenaVersion},
	{"commander", "desktop-commander", "0.2.52"},
	{"filesystem", "server-filesystem", "2026.8.31"},
}

// environment is where the programs of tool sets are, and run.
type environment struct {
	server  string // our program
	modules string // the folder node_modules of the peers
	home    string // stands in for the person's home folder
	bin     string // links to programs of the peers

	// running are servers that go on from task to task, by set and workspace:
	// they remember nothing of what they answered, and take long to start.
	running map[[2]string]toolSet
}

// newEnvironment makes a home below dir, and finds the programs.
func newEnvironment(dir, server, modules string) (*environment, error) {
	server, err := filepath.Abs(server)
	if err != nil {
		return nil, err
	}
	if modules, err = filepath.Abs(modules); err != nil {
		return nil, err
	}
	e := &environment{server: server, modules: modules, home: filepath.Join(dir, "home"), bin: filepath.Join(dir, "bin"), running: map[[2]string]toolSet{}}
	for _, d := range []string{e.home, e.bin} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	for link, pattern := range map[string]string{
		"rg":          filepath.Join(modules, "@vscode", "ripgrep-*", "bin", "rg"),
		"apply_patch": filepath.Join(modules, "@openai", "codex-*", "vendor", "*", "bin", "codex"), // does what it is called
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue // a sequence that needs it will not pass
		}
		if err := os.Symlink(found[0], e.program(link)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// program returns the path of a program of a peer.
func (e *environment) program(name string) string { return filepath.Join(e.bin, name) }

func (e *environment) environ() []string {
	return []string{
		"PATH=" + e.bin + ":" + os.Getenv("PATH"), "HOME=" + e.home, "XDG_RUNTIME_DIR=" + e.home, "XDG_CACHE_HOME=" + filepath.Join(e.home, "cache"),
		"XDG_CONFIG_HOME=" + filepath.Join(e.home, "config"), "XDG_STATE_HOME=" + filepath.Join(e.home, "state"),
		"TMPDIR=" + e.home, "LANG=C.UTF-8",
	}
}

// open starts a tool set in a workspace.
func (e *environment) open(set, dir string) (toolSet, error) {
	switch set {
	case "ours":
		return startMCP(e.command(dir, e.server, "mcp"))
	case "claude":
		return &claude{shell: shell{e, dir}, seen: map[string]string{}, read: map[string]bool{}}, nil
	case "codex":
		return &codex{shell{e, dir}}, nil
	case "serena":
		return &serena{shell: shell{e, dir}}, nil
	}
	if s, ok := e.running[[2]string{set, dir}]; ok {
		return s, nil
	}
	s, err := e.start(set, dir)
	if err != nil {
		return nil, err
	}
	e.running[[2]string{set, dir}] = going{s}
	return going{s}, nil
}

// start starts a server from npm.
func (e *environment) start(set, dir string) (toolSet, error) {
	switch set {
	case "filesystem":
		return startMCP(e.command(dir, "node", filepath.Join(e.modules, "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), dir))
	case "commander":
		c, err := startMCP(e.command(dir, "node", filepath.Join(e.modules, "@wonderwhy-er", "desktop-commander", "dist", "index.js"), "--no-onboarding"))
		return &commander{c}, err
	}
	return nil, fmt.Errorf("there is no tool set %q", set)
}

// going is a tool set that goes on when a conversation ends.
type going struct{ toolSet }

func (going) stop() {}

// stop ends what goes on.
func (e *environment) stop() {
	for _, s := range e.running {
		s.(going).toolSet.stop()
	}
}

func (e *environment) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, e.environ()
	return cmd
}

// shell runs commands in a workspace.
type shell struct {
	*environment
	dir string
}

const commandLimit = 2 * time.Minute

// run runs a command and returns what it wrote and its exit code.
func (s shell) run(name string, args ...string) (output string, code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.dir, s.environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("%s %q: %w", name, args, err)
	}
	return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode(), nil
}

// bash runs the command of a call.
func (s shell) bash(arguments string) (output string, code int, err error) {
	var a struct{ Command string }
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return "", 0, err
	}
	// PATH by hand: bash is looked for in ours.
	return s.run("/bin/bash", "-c", a.Command)
}

// text reads a file of the workspace.
func (s shell) text(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.dir, name)
	}
	b, err := os.ReadFile(name)
	return string(b), err
}
