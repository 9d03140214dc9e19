//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools/core"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// runAsProgram has the test's binary be the program itself.
const runAsProgram = "AGENT_LSP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if socket := os.Getenv(asNobody); socket != "" {
		connectTo(socket)
		os.Exit(0)
	}
	if os.Getenv(runAsProgram) != "" {
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// world is a workspace, and where its sessions are found.
type world struct {
	testing.TB
	root, run string
}

func newWorld(t testing.TB, files map[string]string) *world {
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
	return w.programIn("", args...)
}

// programIn starts it in a folder.
func (w *world) programIn(dir string, args ...string) (*exec.Cmd, pipes) {
	w.Helper()
	cmd := w.prepared(dir, args...)
	in, err := cmd.StdinPipe()
	w.must(err)
	out, err := cmd.StdoutPipe()
	w.must(err)
	cmd.Stderr = w.Output()
	w.must(cmd.Start())
	return cmd, pipes{out, in}
}

// prepared is the program in a process that was not started.
func (w *world) prepared(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = []string{runAsProgram + "=1", "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + w.run, "TMPDIR=" + w.run, "HOME=" + w.run, "XDG_CACHE_HOME=" + filepath.Join(w.run, "cache"), "XDG_STATE_HOME=" + filepath.Join(w.run, "state")}
	return cmd
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
	return w.openAs(fakeeditor.Neovim(roots...))
}

// openAs starts an editor with these options.
func (w *world) openAs(options fakeeditor.Options) *editor {
	w.Helper()
	cmd, p := w.program("lsp", "--log-level", "error")
	e := &editor{fakeeditor.New(p, options), w, cmd, false}
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
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
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
	route.Backend
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
	shared := core.New(core.Config{Background: background.Go, Log: log, Now: time.Now})
	gate, problems := workspace.NewGate(nil, folders, settings.Default())
	w.must(errors.Join(problems...))
	shared.SetGate(gate)
	router := session.NewRouter(session.RouterConfig{
		Folders: session.FindFolders(w.run, "", ""), Only: only, Client: toolcall.Client{Name: "test"}, Version: "test", Log: log, Now: time.Now,
	})
	b := route.New(route.Config{Router: router, Core: shared, Log: log})
	w.Cleanup(func() {
		b.Close()
		background.Wait()
		shared.Close()
	})
	return &assistant{b, w}
}

// call calls a tool and returns its text.
func (a *assistant) call(tool string, args any) (session.Answer, string) {
	a.world.Helper()
	raw, err := wire.Marshal(args)
	a.world.must(err)
	answer, err := a.Call(a.world.Context(), session.Call{Tool: tool, Arguments: raw, Form: form.Text})
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
	a.want("read_file", m{"path": "a.txt"}, "one", "!no editor is attached")
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
	answer, err := a.Call(a.world.Context(), session.Call{Tool: "read_file", Arguments: raw, Form: form.JSON})
	a.world.must(err)
	var out struct {
		Hash string `json:"content_hash"`
	}
	a.world.must(wire.Unmarshal(answer.Raw, &out))
	return out.Hash
}

// TestAskedForSessionIsNotThere: nothing is changed behind the back of an editor
// that was named, and is not found by that name.
func TestAskedForSessionIsNotThere(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e := w.open()
	e.show("a.txt")
	for _, only := range []string{"1", filepath.Join(w.run, "agent-lsp", "1-none.sock"), "no number"} {
		a := w.assistant(only)
		a.want("read_file", m{"path": "a.txt"}, "one", "no editor is attached: the session", only)
		a.want("grep_files", m{"pattern": "one"}, "no editor is attached: the session", only)
		edit := m{"path": "a.txt", "expected_hash": a.hash("a.txt"), "old_text": "one", "new_text": "two"}
		a.wantKind("no_editor", "edit_file", edit, only)
		a.wantKind("no_editor", "write_file", m{"path": "new.txt", "content": "new"}, only)
	}
	if on, _ := os.ReadFile(w.path("a.txt")); string(on) != "one\n" {
		t.Errorf("the disk has %q", on)
	}
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
	a.want("grep_files", m{"pattern": "typed|two"}, "typed one", "two", "!no editor is attached") // it was said
	edit := m{"path": "a.txt", "expected_hash": a.hash("a.txt"), "old_text": "one", "new_text": "1"}
	e.Behave(fakeeditor.Behaviour{Consent: "reject"})
	a.wantKind("rejected_by_user", "edit_file", edit)
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	a.want("edit_file", edit, "a.txt")
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
	w.open(t.TempDir()).openText("untitled:scratch", "another project's\n")
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
	a.want("read_file", m{"path": "both.txt"}, "same", "!also open")
	a.want("edit_file", m{"path": "both.txt", "expected_hash": a.hash("both.txt"), "old_text": "same", "new_text": "x", "dry_run": true},
		"also open in fakeeditor (process ", "where it is not changed")
	a.want("edit_history", m{}, "this is of fakeeditor (process ", "alone, not of fakeeditor (process ")
	e2.typeInto("both.txt", "not ")
	a.wantKind("conflicting_buffers", "outline", m{"path": "both.txt"})
	a.wantKind("conflicting_buffers", "grep_files", m{"pattern": "same", "path": "both.txt"})
	a.want("grep_files", m{"pattern": "same"}, "both.txt", "not same", "!another text")
	e1.typeInto("both.txt", "nor ")
	a.want("grep_files", m{"pattern": "same"}, "not same", "!nor same", "both.txt is open with another text in fakeeditor (process ", "which is not in this answer")
	a.want("list_directory", m{}, "which is not in this answer")
	a.wantKind("conflicting_buffers", "read_file", m{"path": "both.txt"}, "(process ", "both.txt")
	a.wantKind("conflicting_buffers", "edit_file", m{"path": "both.txt", "expected_hash": "sha256:" + strings.Repeat("0", 64), "old_text": "same", "new_text": "x"})
	e2.close()
	a.want("read_file", m{"path": "both.txt"}, "same")
	a.want("read_file", m{"path": "b.txt"}, "b", "!unsaved2")
}

// TestWhatAllEditorsKnow: what is open and what is wrong is told of all editors
// that work in the folder, and not of others.
func TestWhatAllEditorsKnow(t *testing.T) {
	w := newWorld(t, map[string]string{"sub/a.txt": "a\n", "b.txt": "b\n"})
	e1, e2, other, a := w.open(), w.open(w.path("sub")), w.open(t.TempDir()), w.assistant("")
	in := func(e *editor) string { return "in fakeeditor (process " + itoa(e.cmd.Process.Pid) + ")" }
	other.openText("elsewhere.txt", "x\n")
	e2.show("sub/a.txt")
	a.want("open_files", m{}, "1 file is open", "sub/a.txt", in(e2))
	e1.show("sub/a.txt")
	e1.show("b.txt")
	e1.typeInto("b.txt", "unsaved ")
	e1.sync()
	a.want("open_files", m{}, "3 files are open", "b.txt [unsaved changes] "+in(e1)+": 1 line", "sub/a.txt "+in(e1), "sub/a.txt "+in(e2), "!elsewhere")
	from, to := fakeeditor.Point{Line: 1, Column: 1}, fakeeditor.Point{Line: 1, Column: 2}
	for _, e := range []*editor{e1, e2} {
		e.Diagnose(fakeeditor.Diagnostic{URI: w.path("sub/a.txt"), From: from, To: to, Severity: 1, Message: "bad"})
	}
	a.want("diagnostics", m{}, "1 error, unknown whether of this text\n", "sub/a.txt: 1 error "+in(e2)+", "+in(e1)[len("in "):], "!note")
	e1.Diagnose(fakeeditor.Diagnostic{URI: w.path("b.txt"), From: from, To: to, Severity: 2, Message: "worse"})
	a.want("diagnostics", m{}, "1 error, 1 warning", "b.txt: 1 warning "+in(e1))
	a.want("diagnostics", m{"path": "sub"}, "sub: 1 error", "!b.txt", in(e2)[len("in "):])
	a.want("diagnostics", m{"path": "sub/a.txt"}, "bad", "!fakeeditor")
	a.wantKind("invalid_params", "diagnostics", m{"pth": "sub"})
	e2.kill()
	a.want("open_files", m{}, "2 files are open", "!fakeeditor")
	a.want("diagnostics", m{}, "1 error, 1 warning", "!fakeeditor")
}

// TestClosestRootAnswers: of two sessions, the one with the innermost folder.
func TestClosestRootAnswers(t *testing.T) {
	w := newWorld(t, map[string]string{"sub/a.txt": "a\n", "b.txt": "b\n"})
	inner, outer := w.open(w.path("sub")), w.open()
	a := w.assistant("")
	for path, want := range map[string]*editor{"sub/a.txt": inner, "b.txt": outer} {
		if answer := a.want("read_file", m{"path": path}, "hash "); answer.Session == nil || answer.Session.PID != want.cmd.Process.Pid {
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
	if answer := byPath.want("read_file", m{"path": "sub/a.txt"}, "a"); answer.Session.PID != inner.cmd.Process.Pid {
		t.Errorf("answered by %+v", answer.Session)
	}
	// What lies outside of the session's folders is the caller's own.
	if answer := byPath.want("read_file", m{"path": "b.txt"}, "b", "no editor is attached", "!which was asked for"); answer.Session != nil {
		t.Errorf("answered by %+v", answer.Session)
	}
	byPath.want("write_file", m{"path": "c.txt", "content": "c\n"}, "created on disk")
}

// answerSocket is where an editor's session listens; any when e is nil.
func answerSocket(a *assistant, e *editor) string {
	for _, r := range a.Attached(a.world.Context()) {
		if e == nil || r.PID == e.cmd.Process.Pid {
			return r.Socket
		}
	}
	return "none"
}

func itoa(n int) string { return strconv.Itoa(n) }

// TestWhatASocketNeverServes: commands, and changes of protected files that the
// editor's person did not agree to, whatever another program sends there.
func TestWhatASocketNeverServes(t *testing.T) {
	w := newWorld(t, nil)
	options := fakeeditor.Neovim(fakeeditor.Root{Name: "w", Dir: w.root})
	options.NoQuestions, options.AgentLSP["confirmEdit"] = true, false
	w.openAs(options)
	for arguments, tool := range map[string]string{`{"command":"touch x"}`: "run_command", `{"path":".mcp.json","content":"{}"}`: "write_file"} {
		socket, err := net.Dial("unix", answerSocket(w.assistant(""), nil))
		w.must(err)
		w.must(socket.SetDeadline(time.Now().Add(20 * time.Second)))
		for _, f := range [][2]string{
			{`{"do":"hello","protocol":1}`},
			{`{"do":"said","id":1,"apply":true}`},
			{`{"do":"call","id":7,"tool":"` + tool + `","form":"json","ask":true}`, arguments},
			{`{"do":"said","id":1,"apply":true}`},
		} {
			head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(f[0]))), uint32(len(f[1])))
			_, err = socket.Write(append(head, f[0]+f[1]...))
			w.must(err)
		}
		var said []byte
		for !bytes.Contains(said, []byte(`"id":7`)) {
			more := make([]byte, 1<<10)
			n, err := socket.Read(more)
			w.must(err)
			said = append(said, more[:n]...)
		}
		if !bytes.Contains(said, []byte(`"do":"answer","id":7,"kind":"permission_denied"`)) {
			t.Errorf("%s: %s", tool, said)
		}
		w.must(socket.Close())
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
				answer, err := a.Call(t.Context(), session.Call{Tool: "read_file", Arguments: []byte(`{"path":"a.txt"}`), Form: form.MCP})
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

// run runs the program to its end and returns what it printed.
func (w *world) runProgram(args ...string) (out string, code int) {
	w.Helper()
	cmd, p := w.program(args...)
	p.WriteCloser.Close()
	raw, err := io.ReadAll(p.Reader)
	w.must(err)
	_ = cmd.Wait()
	return string(raw), cmd.ProcessState.ExitCode()
}

func TestSessionsCommand(t *testing.T) {
	w := newWorld(t, nil)
	if out, code := w.runProgram("sessions"); code != 0 || out != "No editor runs agent-lsp now.\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	lives, killed := w.open(), w.open()
	killed.kill()
	out, code := w.runProgram("sessions")
	for _, want := range []string{"PID", itoa(lives.cmd.Process.Pid), version, w.root, "Removed what a session that ended left behind"} {
		if !strings.Contains(out, want) || code != 0 {
			t.Errorf("exit %d, without %q:\n%s", code, want, out)
		}
	}
	t.Log("\n" + out)
	var found foundSessions
	out, _ = w.runProgram("sessions", "--json")
	w.must(wire.Unmarshal([]byte(out), &found))
	if len(found.Sessions) != 1 || found.Sessions[0].PID != lives.cmd.Process.Pid || len(found.Removed) != 0 {
		t.Errorf("found %s", out)
	}
	if err := os.Chmod(filepath.Join(w.run, "agent-lsp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, code := w.runProgram("sessions"); code != 1 || !strings.Contains(out, "PROBLEM: permission_denied") {
		t.Errorf("exit %d: %s", code, out)
	}
	w.must(os.Chmod(filepath.Join(w.run, "agent-lsp"), 0o700))
}

// TestDoctorTellsOfSessions: an assistant that does not see what is unsaved is
// what people call the doctor for.
func TestDoctorTellsOfSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	other := t.TempDir()
	want := func(code int, words ...string) {
		t.Helper()
		out, got := w.runProgram("doctor", "--root", w.root)
		for _, word := range words {
			if got != code || !strings.Contains(out, word) {
				t.Errorf("exit %d, want %d, with %q:\n%s", got, code, word, out)
			}
		}
	}
	want(0, "no editor runs agent-lsp")
	e := w.open()
	w.open(other)
	here := "(process " + itoa(e.cmd.Process.Pid) + ")"
	want(0, here+", for this folder: "+w.root, "for other folders: "+other)
	folder := filepath.Join(w.run, "agent-lsp")
	w.must(os.Chmod(folder, 0o755))
	want(1, "WRONG: permission_denied: "+folder)
	w.must(os.Chmod(folder, 0o700))
	e.stop()
	want(1, "WRONG: timeout: fakeeditor "+here+" does not answer")
	w.must(e.cmd.Process.Signal(syscall.SIGCONT))
}

// TestNothingIsLeftBehind: neither after an orderly end nor after SIGTERM.
func TestNothingIsLeftBehind(t *testing.T) {
	w := newWorld(t, nil)
	ended, stopped := w.open(), w.open()
	ended.close()
	w.must(stopped.cmd.Process.Signal(syscall.SIGTERM))
	_ = stopped.cmd.Wait()
	stopped.ended = true
	stopped.Kill()
	if left, err := os.ReadDir(filepath.Join(w.run, "agent-lsp")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	cmd, p := w.program("lsp", "--no-session")
	e := &editor{fakeeditor.New(p, fakeeditor.Neovim()), w, cmd, false}
	_, err := e.Start(t.Context())
	w.must(err)
	if left, _ := os.ReadDir(filepath.Join(w.run, "agent-lsp")); len(left) != 0 {
		t.Errorf("--no-session made %v", left)
	}
	e.close()
}

// stop has the process beside the editor stand still.
func (e *editor) stop() {
	e.world.Helper()
	e.world.must(e.cmd.Process.Signal(syscall.SIGSTOP))
	for { // until each of its threads does
		stat, err := os.ReadFile("/proc/" + itoa(e.cmd.Process.Pid) + "/stat")
		if err != nil {
			e.world.Skip("the state of processes cannot be seen here")
		}
		if strings.Contains(string(stat), ") T ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestHungSession: a read goes to the disk and says so, an edit is refused.
func TestHungSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e, a := w.open(), w.assistant("")
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	hash := a.hash("a.txt")
	edit := m{"path": "a.txt", "expected_hash": hash, "old_text": "one", "new_text": "1"}
	e.stop()
	a.wantKind("session_unreachable", "edit_file", edit, "does not answer", "(process "+itoa(e.cmd.Process.Pid)+")")
	a.want("read_file", m{"path": "a.txt"}, "1|one", "did not save is not known", "does not answer", "no editor is attached")
	a.want("grep_files", m{"pattern": "one"}, "one", "!typed", "does not answer")
	a.wantKind("session_unreachable", "edit_file", edit)
	a.wantKind("session_unreachable", "write_file", m{"path": "new.txt", "content": "x"})
	other := w.assistant("") // which never saw it live
	other.want("read_file", m{"path": "a.txt"}, "1|one", "does not answer")
	other.wantKind("session_unreachable", "edit_file", edit)
	w.must(e.cmd.Process.Signal(syscall.SIGCONT))
	for deadline := time.Now().Add(time.Minute); ; {
		if _, text := a.call("read_file", m{"path": "a.txt"}); strings.Contains(text, "typed one") {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("never attached again:", text)
		}
		time.Sleep(100 * time.Millisecond)
	}
	a.want("edit_file", edit, "a.txt")
	if text := e.text(w.path("a.txt")); text != "typed 1\n" {
		t.Errorf("the buffer is %q", text)
	}
}

// TestEditorKilledDuringAnEdit: what became of the edit is not known, but what
// the disk holds is.
func TestEditorKilledDuringAnEdit(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e, a := w.open(), w.assistant("")
	e.show("a.txt")
	hash := a.hash("a.txt")
	arrived := make(chan struct{})
	e.Behave(fakeeditor.Behaviour{Apply: fakeeditor.Ignore, BeforeApply: func(*fakeeditor.Editor, string) { close(arrived) }})
	go func() {
		<-arrived
		_ = e.cmd.Process.Kill()
	}()
	a.wantKind("outcome_unknown", "edit_file", m{"path": "a.txt", "expected_hash": hash, "old_text": "one", "new_text": "1"}, "while the edit was on its way", "On disk a.txt is "+hash[len("sha256:"):][:8])
	e.ended = true
	_ = e.cmd.Wait()
	e.Kill()
	raw, err := wire.Marshal(m{"path": "a.txt", "expected_hash": "sha256:" + strings.Repeat("0", 64), "old_text": "one", "new_text": "1"})
	w.must(err)
	answer, err := a.Call(t.Context(), session.Call{Tool: "edit_file", Arguments: raw, Form: form.JSON})
	w.must(err)
	if !strings.Contains(string(answer.Raw), hash) { // stale_file names the hash on disk
		t.Errorf("got %s", answer.Raw)
	}
}

// TestOtherUsersAreRefused: the socket takes nobody else's connection.
func TestOtherUsersAreRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	w.open()
	folder := filepath.Join(w.run, "agent-lsp")
	found := session.Find(t.Context(), []string{folder})
	socket := found.Live[0].Socket
	for dir := filepath.Dir(socket); dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
		w.must(os.Chmod(dir, 0o777)) // the worst case: all that protects the socket's name is gone
	}
	w.must(os.Chmod(socket, 0o777))
	program := filepath.Join(w.run, "program") // the test's own is in a folder that others cannot enter
	raw, err := os.ReadFile(os.Args[0])
	w.must(err)
	w.must(os.WriteFile(program, raw, 0o755))
	cmd := exec.Command(program)
	cmd.Env = []string{asNobody + "=" + socket}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "connected, then EOF after 0 bytes\n" {
		t.Errorf("%s %v", out, err)
	}
	w.must(os.Chmod(folder, 0o700))
	w.assistant("").want("read_file", m{"path": "a.txt"}, "one", "!no editor")

	theirs := filepath.Join(w.run, "theirs")
	w.must(os.MkdirAll(theirs, 0o777))
	w.must(os.Chmod(theirs, 0o777))
	cmd = exec.Command(program)
	cmd.Env = []string{asNobody + "=" + filepath.Join(theirs, "s"), asNobody + "_LISTENS=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	in, err := cmd.StdinPipe()
	w.must(err)
	ready, err := cmd.StdoutPipe()
	w.must(err)
	w.must(cmd.Start())
	_, err = io.ReadFull(ready, make([]byte, 1))
	w.must(err)
	w.must(os.Rename(filepath.Join(theirs, "s"), socket)) // where this user's registration names it
	switch found := session.Find(t.Context(), []string{folder}); {
	case len(found.Live) != 0 || len(found.Problems) != 1 || !strings.Contains(found.Problems[0].Error(), "of user 65534"):
		t.Errorf("found %+v", found)
	}
	in.Close()
	w.must(cmd.Wait())
}

// asNobody has the test's binary connect to a socket and say what it reads, or
// listen there.
const asNobody = "AGENT_LSP_TEST_CONNECT_TO"

func connectTo(socket string) {
	if os.Getenv(asNobody+"_LISTENS") != "" {
		if _, err := net.Listen("unix", socket); err == nil {
			fmt.Print("!")
			_, _ = io.Copy(io.Discard, os.Stdin)
		}
		return
	}
	c, err := net.Dial("unix", socket)
	if err != nil {
		fmt.Println(err)
		return
	}
	raw, err := io.ReadAll(c)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		fmt.Println(err)
	}
	fmt.Printf("connected, then EOF after %d bytes\n", len(raw))
}

// BenchmarkReadThroughSession is a read of a 10 KB file that an editor in
// another process answers, routing included.
func BenchmarkReadThroughSession(b *testing.B) {
	w := newWorld(b, map[string]string{"main.go": "package main\n\n" + strings.Repeat("// some words of source text, as they are\n", 240)})
	e, a := w.open(), w.assistant("")
	for _, open := range []string{"on disk", "open"} {
		if open == "open" {
			e.show("main.go")
		}
		b.Run(open, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				answer, err := a.Call(b.Context(), session.Call{Tool: "read_file", Arguments: []byte(`{"path":"main.go"}`), Form: form.MCP})
				if err != nil || len(answer.Raw) < 10_000 || answer.Session == nil {
					b.Fatal(string(answer.Raw), err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
		})
	}
}

// TestEditorOfAPart: an editor that works in a part of the folders is attached
// as far as that goes.
func TestEditorOfAPart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "one\n"})
	w.open(t.TempDir())
	a := w.assistant("")
	a.want("grep_files", m{"pattern": "one"}, "!no editor is attached")
	e := w.open(w.path("sub"))
	a.want("grep_files", m{"pattern": "one"}, "!no editor is attached")
	a.want("read_file", m{"path": "a.txt"}, "no editor is attached")
	e.show("sub/b.txt")
	e.typeInto("sub/b.txt", "unsaved ")
	a.want("grep_files", m{"pattern": "one"}, "unsaved one", "!no editor is attached")
}

// TestFoundInAnyEnvironment: hosts pass on what they like of the environment, and
// the editor is found all the same.
func TestFoundInAnyEnvironment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "saved\n"})
	e := w.open()
	e.show("a.txt")
	e.typeInto("a.txt", "un")
	elsewhere := t.TempDir()
	for name, env := range map[string][]string{
		"as Codex":              {"TMPDIR=" + elsewhere, "HOME=" + elsewhere, "XDG_STATE_HOME=" + filepath.Join(w.run, "state")},
		"another runtime":       {"XDG_RUNTIME_DIR=" + elsewhere, "TMPDIR=" + w.run, "HOME=" + elsewhere},
		"no temporary folder":   {"XDG_RUNTIME_DIR=" + w.run, "TMPDIR=" + elsewhere, "HOME=" + elsewhere},
		"the home folder alone": {"TMPDIR=" + elsewhere, "HOME=" + w.home()},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "read-file", "a.txt", "--root", w.root)
			cmd.Env = slices.Concat(env, []string{runAsProgram + "=1"})
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "unsaved") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// home returns a home folder whose state is that of w's programs.
func (w *world) home() string {
	home := w.TempDir()
	w.must(os.Mkdir(filepath.Join(home, ".local"), 0o700))
	w.must(os.Symlink(filepath.Join(w.run, "state"), filepath.Join(home, ".local", "state")))
	return home
}

// TestInterruptedEdit: an edit that has begun to land is answered, whoever
// interrupts the command that made it.
func TestInterruptedEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e, a := w.open(), w.assistant("")
	path := e.show("a.txt")
	cmd := exec.Command(os.Args[0], "edit-file", "a.txt", "--root", w.root, "--expected-hash", a.hash("a.txt"), "--old-text", "one", "--new-text", "1")
	cmd.Env = []string{runAsProgram + "=1", "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + w.run, "HOME=" + w.run}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	arrived, interrupted := make(chan struct{}), make(chan struct{})
	e.Behave(fakeeditor.Behaviour{BeforeApply: func(*fakeeditor.Editor, string) {
		close(arrived)
		<-interrupted
	}})
	w.must(cmd.Start())
	<-arrived
	w.must(cmd.Process.Signal(os.Interrupt))
	close(interrupted)
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 0 || !strings.Contains(out.String(), "a.txt") || e.text(path) != "1\n" {
		t.Errorf("exit code %d: %s%s; the editor has %q", cmd.ProcessState.ExitCode(), &out, &said, e.text(path))
	}
}

// TestCancelledEdits: what has begun to land lands, and its caller is told; what
// has not is not done.
func TestCancelledEdits(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", ".mcp.json": "{}\n"})
	e, a := w.open(), w.assistant("")
	path := e.show("a.txt")
	edit := func(ctx context.Context, path, from, to string) (session.Answer, error) {
		raw, err := wire.Marshal(m{"path": path, "expected_hash": a.hash(path), "old_text": from, "new_text": to})
		w.must(err)
		return a.Call(ctx, session.Call{Tool: "edit_file", Arguments: raw, Form: form.Text})
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.Behave(fakeeditor.Behaviour{BeforeApply: func(*fakeeditor.Editor, string) { cancel() }})
	answer, err := edit(ctx, "a.txt", "one", "1")
	if err != nil || answer.IsError() || e.text(path) != "1\n" {
		t.Errorf("%v %s; the editor has %q", err, answer.Raw, e.text(path))
	}
	a.want("edit_history", m{}, "a.txt", "+1")
	ctx, cancel = context.WithCancel(t.Context())
	e.Behave(fakeeditor.Behaviour{Hold: map[string]bool{"agent/confirmEdit": true}})
	time.AfterFunc(200*time.Millisecond, cancel) // while the person is asked
	if _, err := edit(ctx, ".mcp.json", "{}", "{ }"); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("got %v", err)
	}
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	e.Release()
	if on, _ := os.ReadFile(w.path(".mcp.json")); string(on) != "{}\n" {
		t.Errorf("the disk has %q", on)
	}
}

// TestWatch: who watches hears of documents of each editor that works in the
// folder, of those that come later, too, and of no others.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	e1, a := w.open(), w.assistant("")
	heard := make(chan session.Document, 100)
	stop := a.Watch(func(d session.Document) { heard <- d })
	next := func(path string, version int32, closed bool) {
		t.Helper()
		late := time.After(time.Minute)
		for {
			select {
			case d := <-heard:
				if d.Path == "" && d.URI != "" {
					t.Errorf("heard %+v", d)
				}
				if d.Path == path && d.Version >= version && d.Closed == closed {
					return
				}
			case <-late:
				t.Fatalf("never heard of %s", path)
			}
		}
	}
	path := e1.show("a.txt")
	next(path, 3, false)
	other := w.open(t.TempDir())
	other.openText("untitled:elsewhere", "x")
	e2 := w.open()
	e2.show("b.txt")
	ctx, cancel := context.WithCancel(t.Context())
	var typing sync.WaitGroup
	typing.Go(func() { // until the watch has noticed the second editor
		for ctx.Err() == nil {
			_ = e2.Type(w.path("b.txt"), fakeeditor.Point{Line: 1, Column: 1}, "x")
			time.Sleep(50 * time.Millisecond)
		}
	})
	next(w.path("b.txt"), 3, false)
	cancel()
	typing.Wait()
	w.must(e1.Close(path))
	e1.sync()
	next(path, 3, true)
	var uris []string
	for _, d := range a.Documents(t.Context()) {
		uris = append(uris, filepath.Base(d.Path))
	}
	if got := strings.Join(uris, " "); got != "b.txt" {
		t.Errorf("open are %q", got)
	}
	e2.kill() // says nothing of what it had open
	next("", 0, true)
	stop()
}

// TestWatchOfAnEditorThatComes: who watches hears of an editor that comes, so
// that what it has open already is looked for.
func TestWatchOfAnEditorThatComes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "a\n"})
	a := w.assistant("")
	heard := make(chan session.Document, 100)
	defer a.Watch(func(d session.Document) { heard <- d })()
	e := w.open()
	e.show("a.txt")
	late := time.After(time.Minute)
	for {
		select {
		case <-heard:
		case <-late:
			t.Fatal("never heard of it")
		}
		if open := a.Documents(t.Context()); len(open) == 1 {
			return
		}
	}
}

// TestLinks: the same folder under two names is the same folder.
func TestLinks(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "two\n"})
	link := filepath.Join(t.TempDir(), "link")
	w.must(os.Symlink(w.root, link))
	e, a := w.open(), w.assistant("", link)
	e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	for _, path := range []string{"a.txt", filepath.Join(link, "a.txt"), w.path("a.txt")} {
		a.want("read_file", m{"path": path}, "typed one", "!no editor")
	}
	w.must(os.Link(w.path("a.txt"), w.path("hard.txt")))
	a.want("read_file", m{"path": "hard.txt"}, "typed one")
	a.want("grep_files", m{"pattern": "typed"}, "a.txt", "typed one")
	// Through the folder of an editor on something else, found by what it has open.
	far := w.open(t.TempDir())
	far.show("sub/b.txt")
	far.typeInto("sub/b.txt", "typed ")
	a.want("read_file", m{"path": "sub/b.txt"}, "typed two")
	a.want("grep_files", m{"pattern": "typed"}, "typed one", "typed two", "sub/b.txt")
}

// TestFoldersMoveWithTheEditor: its registration follows its folders.
func TestFoldersMoveWithTheEditor(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e, a := w.open(t.TempDir()), w.assistant("")
	a.want("read_file", m{"path": "a.txt"}, "!no editor is attached")
	e.SetRoots(fakeeditor.Root{Name: "w", Dir: w.root})
	e.sync()
	a.want("read_file", m{"path": "a.txt"}, "!no editor")
	e.SetRoots()
	e.sync()
	a.want("read_file", m{"path": "a.txt"}, "no editor is attached")
}

// TestChangesAreTakenBackByWhoMadeThem: the process that made a change takes it
// back, whether it is the editor's or the assistant's own.
func TestChangesAreTakenBackByWhoMadeThem(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	a := w.assistant("")
	edit := func(path, from, to string) (id string) {
		t.Helper()
		raw, err := wire.Marshal(m{"path": path, "expected_hash": a.hash(path), "old_text": from, "new_text": to})
		w.must(err)
		answer, err := a.Call(t.Context(), session.Call{Tool: "edit_file", Arguments: raw, Form: form.JSON})
		w.must(err)
		var out struct{ ID string }
		w.must(wire.Unmarshal(bytes.ReplaceAll(answer.Raw, []byte(`"id"`), []byte(`"ID"`)), &out))
		return out.ID
	}
	onDisk := edit("a.txt", "one", "1")
	e := w.open()
	e.show("b.txt")
	inEditor := edit("b.txt", "two", "2")
	a.want("edit_history", m{"id": onDisk}, "a.txt", onDisk)
	a.want("edit_history", m{"id": inEditor}, "b.txt", inEditor)
	a.wantKind("not_found", "revert_edit", m{"id": "edit-9-none"})
	a.want("revert_edit", m{"id": inEditor}, "b.txt")
	if text := e.text(w.path("b.txt")); text != "two\n" {
		t.Errorf("the buffer is %q", text)
	}
	e.show("a.txt")
	a.wantKind("not_applied", "revert_edit", m{"id": onDisk}, "has the file open by now")
	w.must(e.Close(w.path("a.txt")))
	e.sync()
	a.want("revert_edit", m{"id": onDisk}, "a.txt")
	if raw, _ := os.ReadFile(w.path("a.txt")); string(raw) != "one\n" {
		t.Errorf("the disk has %q", raw)
	}
}

// TestEditorIsToldOfCalls: by whom, also where the call goes to another editor,
// and of none that the program makes by itself.
func TestEditorIsToldOfCalls(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e, other, a := w.open(), w.open(t.TempDir()), w.assistant("")
	for _, c := range []session.Call{
		{Client: toolcall.Client{ID: "7"}, Quiet: true},
		{Client: toolcall.Client{Name: "agent", ID: "7"}},
	} {
		c.Tool, c.Arguments = "read_file", []byte(`{"path":"a.txt"}`)
		_, err := a.Call(t.Context(), c)
		w.must(err)
	}
	w.must(e.Await(t.Context(), "agent/activity"))
	for _, m := range e.Log() {
		if m.Method == "agent/activity" && !strings.Contains(m.Body, `"name":"agent"`) {
			t.Errorf("told %s", m.Body)
		}
	}
	second := w.assistant("")
	_, err := second.Call(t.Context(), session.Call{Tool: "read_file", Arguments: []byte(`{"path":"a.txt"}`), Client: toolcall.Client{Name: "agent"}})
	w.must(err)
	for {
		w.must(other.Await(t.Context(), "agent/clients"))
		log := other.Log()
		if slices.ContainsFunc(log, func(m fakeeditor.Entry) bool { return strings.Contains(m.Body, `"name":"agent"`) }) {
			return
		}
	}
}

// TestEditorIsToldWhoIsAttached: agent/clients when an assistant comes and goes.
func TestEditorIsToldWhoIsAttached(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\n"})
	e := w.open()
	told := func(words ...string) { // in the end: of who comes at once it may be told one by one
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for body := ""; ; {
			if err := e.Await(ctx, "agent/clients"); err != nil {
				t.Fatalf("%v; told %s, want %q", err, body, words)
			}
			for _, m := range e.Log() {
				if m.Method == "agent/clients" {
					body = m.Body
				}
			}
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(body, word) }) {
				return
			}
		}
	}
	t.Run("come", func(t *testing.T) {
		in := &world{t, w.root, w.run}
		in.assistant("").want("read_file", m{"path": "a.txt"}, "one")
		told(`"name":"test"`, `"since":"20`)
	})
	told(`"clients":[]`)
}

// TestConsentIsTheEditors: a protected file is changed from another process
// only if the person at the editor agrees there.
func TestConsentIsTheEditors(t *testing.T) {
	w := newWorld(t, map[string]string{".mcp.json": "{}\n"})
	e, a := w.open(), w.assistant("")
	edit := m{"path": ".mcp.json", "expected_hash": a.hash(".mcp.json"), "old_text": "{}", "new_text": "{ }"}
	e.Behave(fakeeditor.Behaviour{Consent: "reject", ConsentReason: "not mine"})
	a.wantKind("rejected_by_user", "edit_file", edit, "not mine")
	e.Behave(fakeeditor.Behaviour{Consent: "apply"})
	a.want("edit_file", edit, ".mcp.json")
	if e.Received("agent/confirmEdit") != 2 {
		t.Errorf("asked %d times", e.Received("agent/confirmEdit"))
	}
	e.close()
	edit["expected_hash"], edit["old_text"], edit["new_text"] = a.hash(".mcp.json"), "{ }", "{}"
	a.wantKind("permission_denied", "edit_file", edit, "let the person make the change")
}

// TestReplaceInFilesOfSeveralEditors: what another editor has open, with unsaved
// changes or without, is not changed on disk behind it.
func TestReplaceInFilesOfSeveralEditors(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "name\n", "b.txt": "name\n", "c.txt": "name\n"})
	e1, e2, a := w.open(), w.open(), w.assistant("")
	call := m{"pattern": "name", "replacement": "title", "expected_count": 3}
	e1.show("a.txt")
	e2.show("b.txt")
	a.wantKind("not_applied", "replace_in_files", call, "another editor has the file open", "nothing was changed")
	e1.typeInto("a.txt", "typed ")
	e2.typeInto("b.txt", "typed ")
	a.wantKind("not_applied", "replace_in_files", call, "another editor has the file open", "nothing was changed")
	if on := w.disk(); on["a.txt"]+on["b.txt"]+on["c.txt"] != "name\nname\nname\n" {
		t.Errorf("the disk has %q", on)
	}
	e2.close()
	a.want("replace_in_files", call, "3 replacements", "a.txt 1", "b.txt 1", "c.txt 1")
	if on := w.disk(); e1.text(w.path("a.txt")) != "typed title\n" || on["b.txt"] != "title\n" {
		t.Errorf("the buffer is %q, the disk has %q", e1.text(w.path("a.txt")), on)
	}
}

// TestPatchOfFilesInSeveralEditors: all of them in one editor, or none.
func TestPatchOfFilesInSeveralEditors(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	e1, e2, a := w.open(), w.open(), w.assistant("")
	patch := "*** Begin Patch\n*** Update File: a.txt\n-a\n+A\n*** Update File: b.txt\n-b\n+B\n*** End Patch\n"
	hashes := m{"a.txt": a.hash("a.txt"), "b.txt": a.hash("b.txt")}
	e1.show("a.txt")
	e1.show("c.txt")
	e2.show("b.txt")
	a.wantKind("conflicting_buffers", "apply_patch", m{"patch": patch, "expected_hashes": hashes}, "are open in different editors", "a.txt in fakeeditor", "b.txt in fakeeditor")
	w.must(e2.Close(w.path("b.txt")))
	e2.sync()
	a.want("apply_patch", m{"patch": patch, "expected_hashes": hashes}, "a.txt", "b.txt")
	if text := e1.text(w.path("a.txt")); text != "A\n" {
		t.Errorf("the buffer is %q", text)
	}
	if raw, _ := os.ReadFile(w.path("b.txt")); string(raw) != "B\n" {
		t.Errorf("the disk has %q", raw)
	}
}

// TestPatchByCommand: a patch from the command line lands in the editor, for the
// text that is there, and the session remembers it.
func TestPatchByCommand(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "one\ntwo\n", "fix.diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n typed one\n-two\n+2\n"})
	e := w.open()
	path := e.show("a.txt")
	e.typeInto("a.txt", "typed ")
	if out, code := w.runProgram("apply-patch", "--json", "--root", w.root, w.path("fix.diff")); code != 0 || !strings.Contains(out, `"id":"edit-`) {
		t.Errorf("code %d: %s", code, out)
	}
	if text := e.text(path); text != "typed one\n2\n" {
		t.Errorf("the buffer is %q", text)
	}
	if out, code := w.runProgram("edit-history", "--root", w.root); code != 0 || !strings.Contains(out, "+2") {
		t.Errorf("code %d: %s", code, out)
	}
}
