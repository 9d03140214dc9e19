package tokens

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// editor is a person's editor with unsaved changes. A nil one is none.
type editor struct {
	*fakeeditor.Editor
	server *exec.Cmd
	names  map[string]string // documents, by the path of their file
}

const editorLimit = time.Minute

// pipes are a process's standard output and input.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// openEditor opens what a task has unsaved, in an editor that has our server
// beside it. For the other tool sets it would make no difference.
func (r *runner) openEditor(t *task, set string, pristine map[string]string) (*editor, error) {
	if t.unsaved == nil || set != "ours" {
		return nil, nil
	}
	texts, err := applyAll(pristine, t.unsaved)
	if err != nil {
		return nil, err
	}
	cmd := r.command(r.dir, r.server, "lsp", "--log-level", "error")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &editor{
		fakeeditor.New(pipes{out, in}, fakeeditor.Neovim(fakeeditor.Root{Name: filepath.Base(r.dir), Dir: r.dir})), cmd, map[string]string{},
	}
	if err := e.show(r.dir, texts); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// show opens files and types what they hold unsaved.
func (e *editor) show(dir string, texts map[string]string) error {
	ctx, cancel := context.WithTimeout(context.Background(), editorLimit)
	defer cancel()
	if _, err := e.Start(ctx); err != nil {
		return err
	}
	for name, text := range texts {
		path := filepath.Join(dir, name)
		document, err := e.Open(path, strings.TrimPrefix(filepath.Ext(name), "."))
		if err != nil {
			return err
		}
		e.names[path] = document
		if err := e.ReplaceAll(document, text); err != nil {
			return err
		}
	}
	// What is answered behind the changes has come after them.
	_, err := e.Request(ctx, "agent/stats", map[string]any{})
	return err
}

func (e *editor) stop() {
	if e == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), editorLimit)
	defer cancel()
	if e.Stop(ctx) != nil {
		_ = e.server.Process.Kill() // it may have ended by itself
	}
	_ = e.server.Wait() // how it ends is of no interest
}

// text returns what a file holds, as the editor has it.
func (e *editor) text(path string) (string, error) {
	if e != nil {
		if d, ok := e.Document(e.names[path]); ok {
			return d.Text, nil
		}
	}
	b, err := os.ReadFile(path)
	return string(b), err
}
