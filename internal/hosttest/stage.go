package hosttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// patience is how long something may take that takes moments: it ends a run
// that hangs, and nothing depends on it.
const patience = 2 * time.Minute

// stage is where a host plays: a home and a workspace of its own, and a proxy in
// the way to other machines.
type stage struct {
	options Options
	host    Host
	dir     string // holds all of it
	home    string
	work    string
	env     []string
	waiting sync.WaitGroup // for processes
	proxy   http.Server

	mu      sync.Mutex
	outside []string // machines that were asked for

	wrong []string // what fake editors were sent that the protocol forbids
}

// newStage makes the folders and sets the host up, as its user would.
func newStage(ctx context.Context, o Options, h Host) (*stage, error) {
	dir, err := os.MkdirTemp("", "host-"+h.Name+"-")
	if err != nil {
		return nil, err
	}
	s := &stage{options: o, host: h, dir: dir, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "home", "project")}
	err = errors.Join(s.folders(), s.listen(ctx))
	if err == nil {
		err = s.files(s.home, h.home)
	}
	if err == nil {
		err = s.files(s.work, project())
	}
	if err == nil {
		err = s.setup(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stage) folders() error {
	var err error
	for _, name := range []string{s.home, s.work, filepath.Join(s.dir, "run"), filepath.Join(s.dir, "tmp"), filepath.Join(s.dir, "bin")} {
		err = errors.Join(err, os.MkdirAll(name, 0o700))
	}
	err = errors.Join(err, os.Symlink(s.options.Program, filepath.Join(s.dir, "bin", "agent-lsp")))
	path := []string{filepath.Join(s.dir, "bin")}
	if node, err := exec.LookPath("node"); err == nil {
		path = append(path, filepath.Dir(node))
	}
	s.env = []string{
		"HOME=" + s.home, "XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"), "TMPDIR=" + filepath.Join(s.dir, "tmp"),
		"PATH=" + strings.Join(append(path, "/usr/local/bin", "/usr/bin", "/bin"), ":"),
		"LANG=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh", "USER=tester", "NO_UPDATE_NOTIFIER=1", "DO_NOT_TRACK=1", "CI=1",
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
	return err
}

// listen starts the proxy that refuses what goes to other machines.
func (s *stage) listen(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.proxy.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !slices.Contains(s.outside, r.Host) {
			s.outside = append(s.outside, r.Host)
		}
		http.Error(w, "there is no network here", http.StatusForbidden)
	})
	s.waiting.Go(func() { _ = s.proxy.Serve(l) }) // ends with close
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		s.env = append(s.env, name+"=http://"+l.Addr().String(), strings.ToLower(name)+"=http://"+l.Addr().String())
	}
	return nil
}

func (s *stage) files(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(strings.ReplaceAll(text, "$WORK", s.work)), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// setup has agent-lsp add itself to the host.
func (s *stage) setup(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "git", "init", "-q", s.work)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	cmd = exec.CommandContext(ctx, s.options.Program, "setup", s.host.Name, "--allow", "all", "--write")
	if s.host.own != nil {
		cmd.Args = append(cmd.Args, "--hooks")
	}
	cmd.Dir, cmd.Env = s.work, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("agent-lsp setup %s: %w: %s", s.host.Name, err, out)
	}
	return nil
}

// play starts the host, with further arguments, in a conversation with a model.
func (s *stage) play(ctx context.Context, name string, more ...string) (*talk, error) {
	program, err := s.program()
	if err != nil {
		return nil, err
	}
	m, err := NewModel(ctx, prompt)
	if err != nil {
		return nil, err
	}
	run, err := s.start(name, s.fill(s.host.env, m), program, append(s.fill(s.host.args, m), more...)...)
	if err != nil {
		m.Close()
		return nil, err
	}
	return &talk{host: s.host, model: m, run: run}, nil
}

// program is the host's.
func (s *stage) program() (string, error) {
	found, _ := filepath.Glob(filepath.Join(s.options.Hosts, s.host.Name, s.host.program))
	if len(found) == 0 {
		return "", fmt.Errorf("%s is not installed in %s", s.host.Title, s.options.Hosts)
	}
	return found[0], nil
}

// fill puts the stage's and the model's own values into what starts a host.
func (s *stage) fill(list []string, m *Model) []string {
	r := strings.NewReplacer("$URL", m.URL(), "$ASK", string(m.prompt))
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = r.Replace(text)
	}
	return out
}

// disk is what a file of the workspace holds; "" where there is none.
func (s *stage) disk(file string) string {
	raw, _ := os.ReadFile(s.path(file))
	return string(raw)
}

func (s *stage) path(file string) string { return filepath.Join(s.work, file) }

// close ends all that runs, and removes the folders.
func (s *stage) close() {
	_ = s.proxy.Close()
	s.sweep()
	if !s.options.Keep {
		_ = os.RemoveAll(s.dir)
	}
}

// project are the files of the workspace.
func project() map[string]string {
	var big, many bytes.Buffer
	for i := range 4000 {
		fmt.Fprintf(&big, "%06d the quick brown fox jumps over the lazy dog %s\n", i, strings.Repeat(string(rune('a'+i%8)), 20))
	}
	files := map[string]string{
		"app.py": "import os\n\n\ndef greet(name):\n    \"\"\"Says hello.\"\"\"\n    return \"hello \" + name\n\n\n" +
			"class Box:\n    def size(self):\n        return 1\n",
		"util.py":            "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
		"big.txt":            big.String(),
		"build.sh":           "cat app.py >built.txt\n",
		".vscode/tasks.json": string(encode(object{"version": "2.0.0", "tasks": []any{}})) + "\n",
	}
	for i := range 600 {
		fmt.Fprintf(&many, "def function_number_%03d(first, second):\n    needle = first + %d\n    return needle\n\n\n", i, i)
		files[fmt.Sprintf("many/file_with_a_long_name_%03d.txt", i)] = "x\n"
	}
	files["many.py"] = many.String()
	return files
}
