package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	a.want("read_file", m{"path": "a.txt"}, "typed one", "!no editor")
	a.want("grep_files", m{"pattern": "typed"}, "typed one", "!no editor")
	e.close()
	a.want("read_file", m{"path": "a.txt"}, "!typed", "no editor is attached")
}

// wantKind calls a tool that has to fail with a kind.
func (a *assistant) wantKind(kind, tool string, args any, words ...string) {
	a.world.Helper()
	if answer := a.want(tool, args, words...); string(answer.Kind) != kind {
		a.world.Errorf("%s %v: kind %q, want %q:\n%s", tool, args, answer.Kind, kind, answer.Raw)
	}
}

// hash returns the hash of a file that a read says.
func (a *assistant) hash(path string) string {
	a.world.Helper()
	raw, err := wire.Marshal(m{"path": path})
	a.world.must(err)
	answer, err := a.Call(a.world.Context(), session.Call{Tool: "read_file", Arguments: raw, Form: tools.FormJSON})
	a.world.must(err)
	var out struct {
		Hash string `json:"content_hash"`
	}
	a.world.must(wire.Unmarshal(answer.Raw, &out))
	return out.Hash
}

func (e *editor) show(name string) string {
	e.world.Helper()
	path := e.world.path(name)
	_, err := e.Open(path, "text")
	e.world.must(err)
	e.sync()
	return path
}

// sync returns when the process beside the editor knows all that was done in it.
func (e *editor) sync() {
	e.world.Helper()
	_, err := e.Request(e.world.Context(), "agent/stats", nil)
	e.world.must(err)
}

// text is what the editor shows.
func (e *editor) text(path string) string {
	d, _ := e.Document(path)
	return d.Text
}

func (e *editor) typeInto(name, text string) {
	e.world.Helper()
	e.world.must(e.Type(e.world.path(name), fakeeditor.Point{Line: 1, Column: 1}, text))
	e.sync()
}

func (e *editor) openText(name, text string) {
	e.world.Helper()
	uri := name
	if !strings.HasPrefix(name, "untitled:") {
		uri = fakeeditor.FileURI(e.world.path(name))
	}
	e.world.must(e.OpenText(uri, "text", text))
	e.sync()
}

func TestEditsLandInTheEditor(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "b\n"})
	e, a := w.open(), w.assistant("")
	path := e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	a.want("edit_file", m{"path": "a.txt", "expected_hash": a.hash("a.txt"), "old_text": "two", "new_text": "2"}, "a.txt")
	if text := e.text(path); text != "typed one\n2\n" {
		t.Errorf("the buffer is %q", text)
	}
	if on, _ := os.ReadFile(path); string(on) != "one\ntwo\n" {
		t.Errorf("the disk has %q", on)
	}
	a.want("edit_file", m{"path": "b.txt", "expected_hash": a.hash("b.txt"), "old_text": "b", "new_text": "B"}, "b.txt")
	if on, _ := os.ReadFile(w.path("b.txt")); string(on) != "B\n" {
		t.Errorf("the disk has %q", on)
	}
}

// TestFileOpenOutsideOfRoots: an editor whose folders do not hold a file may
// have it open all the same.
func TestFileOpenOutsideOfRoots(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	e, a := w.open(t.TempDir()), w.assistant("")
	path := e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	a.want("read_file", m{"path": "a.txt"}, "typed one", "!no editor")
	a.want("read_file", m{"path": path}, "typed one", "!no editor")
	a.want("read_file", m{"path": "b.txt"}, "two", "no editor is attached")
	a.want("grep_files", m{"pattern": "typed|two"}, "typed one", "two", "no editor is attached")
	a.want("edit_file", m{"path": "a.txt", "expected_hash": a.hash("a.txt"), "old_text": "one", "new_text": "1"}, "a.txt")
	if text := e.text(path); text != "typed 1\n" {
		t.Errorf("the buffer is %q", text)
	}
	if on, _ := os.ReadFile(path); string(on) != "one\n" {
		t.Errorf("the disk has %q", on)
	}
}

// TestTwoEditors: a call goes to the editor that has the file open, and
// searches see what either has unsaved.
func TestTwoEditors(t *testing.T) {
	w := newWorld(t, map[string]string{"sub/a.txt": "a\n", "b.txt": "b\n", "both.txt": "same\n"})
	e1, e2, a := w.open(), w.open(), w.assistant("")
	e1.show("sub/a.txt")
	e1.typeInto("sub/a.txt", "unsaved1 ")
	e2.show("b.txt")
	e2.typeInto("b.txt", "unsaved2 ")
	e1.openText("untitled:scratch", "unsaved3\n")
	a.want("read_file", m{"path": "sub/a.txt"}, "unsaved1 a")
	a.want("read_file", m{"path": "b.txt"}, "unsaved2 b")
	a.want("read_file", m{"path": "untitled:scratch"}, "unsaved3")
	a.want("grep_files", m{"pattern": "unsaved"}, "unsaved1 a", "unsaved2 b", "unsaved3", "!no editor")
	a.want("grep_files", m{"pattern": "unsaved", "path": "sub"}, "unsaved1 a", "!unsaved2")
	a.want("list_directory", m{}, "b.txt", "unsaved")
	e2.openText("new.txt", "born\n")
	e1.openText("new1.txt", "born\n")
	a.want("list_directory", m{}, "new.txt", "new1.txt")
	a.want("find_files", m{"pattern": "new*"}, "new.txt", "new1.txt")
	a.want("grep_files", m{"pattern": "born"}, "new.txt", "new1.txt")

	e1.show("both.txt")
	e2.show("both.txt")
	a.want("read_file", m{"path": "both.txt"}, "same")
	e2.typeInto("both.txt", "not ")
	a.wantKind("conflicting_buffers", "read_file", m{"path": "both.txt"}, "(process ", "both.txt")
	a.wantKind("conflicting_buffers", "edit_file", m{"path": "both.txt", "expected_hash": "sha256:" + strings.Repeat("0", 64), "old_text": "same", "new_text": "x"})
	e2.close()
	a.want("read_file", m{"path": "both.txt"}, "same")
	a.want("read_file", m{"path": "b.txt"}, "b", "!unsaved2")
}

// TestClosestRootAnswers: of two sessions, the one with the innermost folder.
func TestClosestRootAnswers(t *testing.T) {
	w := newWorld(t, map[string]string{"sub/a.txt": "a\n", "b.txt": "b\n"})
	inner, outer := w.open(w.path("sub")), w.open()
	a := w.assistant("")
	for path, want := range map[string]*editor{"sub/a.txt": inner, "b.txt": outer} {
		if answer := a.want("read_file", m{"path": path}, path); answer.Session == nil || answer.Session.PID != want.cmd.Process.Pid {
			t.Errorf("%s was answered by %+v, want %d", path, answer.Session, want.cmd.Process.Pid)
		}
	}
	// What is shown is relative to the caller's folder, whoever answers.
	a.want("grep_files", m{"pattern": "a", "path": "sub"}, "sub/a.txt")
	if list := a.Attached(t.Context()); len(list) != 2 {
		t.Errorf("attached: %+v", list)
	}
	only := w.assistant(itoa(outer.cmd.Process.Pid))
	if answer := only.want("read_file", m{"path": "sub/a.txt"}, "a"); answer.Session.PID != outer.cmd.Process.Pid {
		t.Errorf("answered by %+v", answer.Session)
	}
	byPath := w.assistant(answerSocket(a, inner))
	if answer := byPath.want("read_file", m{"path": "b.txt"}, "b"); answer.Session.PID != inner.cmd.Process.Pid {
		t.Errorf("answered by %+v", answer.Session)
	}
}

func answerSocket(a *assistant, e *editor) string {
	for _, r := range a.Attached(a.world.Context()) {
		if r.PID == e.cmd.Process.Pid {
			return r.Socket
		}
	}
	return "none"
}

func itoa(n int) string { return strconv.Itoa(n) }

// TestRunCommandIsNotServed: what is for the person's own terminal is refused
// at the socket, whatever an assistant sends there.
func TestRunCommandIsNotServed(t *testing.T) {
	w := newWorld(t, nil)
	w.open()
	router := session.NewRouter(session.RouterConfig{Folders: session.Folders(w.run, ""), Log: slog.New(slog.DiscardHandler), Now: time.Now})
	defer router.Close()
	peers := router.Peers()
	answer, err := peers[0].Call(t.Context(), session.Call{Tool: "run_command", Arguments: []byte(`{"command":"touch x"}`), Form: tools.FormJSON})
	if err != nil || answer.Kind != "permission_denied" {
		t.Errorf("got %s %v", answer.Raw, err)
	}
}

func TestEditorComesAndGoesWhileCallsRun(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	a := w.assistant("")
	ctx, cancel := context.WithCancel(t.Context())
	var callers sync.WaitGroup
	var calls, inEditor atomic.Int64
	for range 4 {
		callers.Go(func() {
			for ctx.Err() == nil {
				answer, err := a.Call(t.Context(), session.Call{Tool: "read_file", Arguments: []byte(`{"path":"a.txt"}`), Form: tools.FormMCP})
				if err != nil || answer.IsError() {
					t.Errorf("lost: %s %v", answer.Raw, err)
				}
				calls.Add(1)
				if answer.Session != nil {
					inEditor.Add(1)
				}
			}
		})
	}
	for i := range 6 {
		before := inEditor.Load()
		e := w.open()
		e.show("a.txt")
		for inEditor.Load() == before && !t.Failed() {
			runtime.Gosched()
		}
		if i%2 == 0 {
			e.close()
		} else {
			e.kill()
		}
	}
	cancel()
	callers.Wait()
	t.Logf("%d calls, %d of them answered by an editor's session", calls.Load(), inEditor.Load())
}
