package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// runAsProgram has the test's binary be the program itself.
const runAsProgram = "AGENT_LSP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// world is a workspace, and where its sessions are found.
type world struct {
	*testing.T
	root, run string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := &world{t, t.TempDir(), t.TempDir()}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.root, name) }

func (w *world) write(name, text string) {
	w.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	w.must(os.WriteFile(w.path(name), []byte(text), 0o644))
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// editor is an editor and the process beside it.
type editor struct {
	*fakeeditor.Editor
	world *world
	cmd   *exec.Cmd
	ended bool
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// program starts the program in a process of its own.
func (w *world) program(args ...string) (*exec.Cmd, pipes) {
	w.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = []string{runAsProgram + "=1", "XDG_RUNTIME_DIR=" + w.run, "TMPDIR=" + w.run, "HOME=" + w.run, "XDG_CACHE_HOME=" + filepath.Join(w.run, "cache")}
	in, err := cmd.StdinPipe()
	w.must(err)
	out, err := cmd.StdoutPipe()
	w.must(err)
	cmd.Stderr = w.Output()
	w.must(cmd.Start())
	return cmd, pipes{out, in}
}

// open starts an editor on folders; on the workspace when there are none.
func (w *world) open(dirs ...string) *editor {
	w.Helper()
	if len(dirs) == 0 {
		dirs = []string{w.root}
	}
	var roots []fakeeditor.Root
	for _, d := range dirs {
		roots = append(roots, fakeeditor.Root{Name: filepath.Base(d), Dir: d})
	}
	cmd, p := w.program("lsp", "--log-level", "error")
	e := &editor{fakeeditor.New(p, fakeeditor.Neovim(roots...)), w, cmd, false}
	w.Cleanup(e.close)
	_, err := e.Start(w.Context())
	w.must(err)
	return e
}

// close ends the editor, and waits for the process beside it.
func (e *editor) close() {
	if e.ended {
		return
	}
	e.ended = true
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := e.Stop(ctx); err != nil {
		e.world.Error("stop:", err)
	}
	if err := e.cmd.Wait(); err != nil {
		e.world.Error("the process beside the editor:", err)
	}
}

// kill ends the process beside the editor at once.
func (e *editor) kill() {
	e.ended = true
	e.world.must(e.cmd.Process.Kill())
	_ = e.cmd.Wait()
	e.Kill()
}

// assistant is what another process has of the sessions; here it is the test's.
type assistant struct {
	session.Backend
	world *world
}

func (w *world) assistant(only string, dirs ...string) *assistant {
	w.Helper()
	if len(dirs) == 0 {
		dirs = []string{w.root}
	}
	var folders []workspace.Folder
	for _, d := range dirs {
		folders = append(folders, workspace.Folder{Name: filepath.Base(d), Path: d})
	}
	log := slog.New(slog.NewTextHandler(w.Output(), nil))
	background := parallel.NewGroup(context.Background(), 2, 100, func(err error) { w.Error(err) })
	core := tools.NewCore(tools.CoreConfig{Background: background.Go, Log: log, Now: time.Now})
	gate, problems := workspace.NewGate(nil, folders, workspace.DefaultSettings())
	w.must(errors.Join(problems...))
	core.SetGate(gate)
	router := session.NewRouter(session.RouterConfig{
		Folders: session.Folders(w.run, ""), Only: only, Client: tools.Client{Name: "test"}, Version: "test", Log: log, Now: time.Now,
	})
	b := session.NewBackend(session.BackendConfig{Router: router, Core: core, Log: log})
	w.Cleanup(func() {
		b.Close()
		background.Wait()
		core.Close()
	})
	return &assistant{b, w}
}

// call calls a tool and returns its text.
func (a *assistant) call(tool string, args any) (session.Answer, string) {
	a.world.Helper()
	raw, err := wire.Marshal(args)
	a.world.must(err)
	answer, err := a.Call(a.world.Context(), session.Call{Tool: tool, Arguments: raw, Form: tools.FormText})
	a.world.must(err)
	return answer, string(answer.Raw)
}

// want calls a tool and wants its text to hold all of words, and none of those
// that begin with "!".
func (a *assistant) want(tool string, args any, words ...string) session.Answer {
	a.world.Helper()
	answer, text := a.call(tool, args)
	for _, word := range words {
		not, isNot := strings.CutPrefix(word, "!")
		if strings.Contains(text, not) == isNot {
			a.world.Errorf("%s %v: the answer should have %q:\n%s", tool, args, word, text)
		}
	}
	return answer
}

type m = map[string]any

func TestReadsWhatIsNotSaved(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo\n"})
	a := w.assistant("")
	a.want("read_file", m{"path": "a.txt"}, "one", "no editor is attached")
	e := w.open()
	_, err := e.Open(w.path("a.txt"), "text")
	w.must(err)
	w.must(e.Type(w.path("a.txt"), fakeeditor.Point{Line: 1, Column: 1}, "typed "))
	a.want("read_file", m{"path": "a.txt"}, "typed one", "!no editor")
	a.want("grep_files", m{"pattern": "typed"}, "typed one", "!no editor")
	e.close()
	a.want("read_file", m{"path": "a.txt"}, "!typed", "no editor is attached")
}
