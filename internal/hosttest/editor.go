package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// editor is what a person works in while a host runs. Files are named below the
// workspace.
type editor interface {
	open(file string) error
	// replace is the person's typing; the server has seen it when it returns.
	replace(file, old, with string) error
	undo(file string) error
	text(file string) (string, error)
	unsaved(file string) (bool, error)
	// awaitServer returns when the server has seen what it was told.
	awaitServer() error
	// decide is what the person says to the questions that come.
	decide(apply bool)
	// kill ends the editor as a crash does.
	kill()
	// quit ends it as a person does.
	quit() error
}

// fake is the fake editor, and the server that it started.
type fake struct {
	*fakeeditor.Editor
	stage *stage
	ctx   context.Context
	cmd   *exec.Cmd
}

// pipes are a server's standard streams.
type pipes struct {
	io.Reader
	io.WriteCloser
}

func (s *stage) openFake(ctx context.Context) (*fake, error) {
	cmd := exec.Command(s.options.Program, "lsp")
	cmd.Dir, cmd.Env = s.work, s.env
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		return nil, err
	}
	f := &fake{stage: s, ctx: ctx, cmd: cmd}
	f.Editor = fakeeditor.New(pipes{out, in}, fakeeditor.VSCode(fakeeditor.Root{Name: "project", Dir: s.work}))
	if _, err := f.Start(ctx); err != nil {
		f.kill()
		return nil, err
	}
	return f, f.awaitServer()
}

func (f *fake) awaitServer() error {
	_, err := f.Request(f.ctx, "agent/tools/list", struct{}{})
	return err
}

func (f *fake) open(file string) error {
	_, err := f.Editor.Open(f.stage.path(file), "text")
	return errors.Join(err, f.awaitServer())
}

func (f *fake) replace(file, old, with string) error {
	err := f.Change(f.stage.path(file), func(text string) (start, end int, _ string) {
		at := strings.Index(text, old)
		if at < 0 {
			return 0, 0, ""
		}
		return at, at + len(old), with
	})
	return errors.Join(err, f.awaitServer())
}

func (f *fake) undo(file string) error {
	return errors.Join(f.Undo(f.stage.path(file)), f.awaitServer())
}

func (f *fake) document(file string) (fakeeditor.Document, error) {
	d, open := f.Document(f.stage.path(file))
	if !open {
		return d, fmt.Errorf("%s is not open", file)
	}
	return d, nil
}

func (f *fake) text(file string) (string, error) {
	d, err := f.document(file)
	return d.Text, err
}

func (f *fake) unsaved(file string) (bool, error) {
	d, err := f.document(file)
	return d.Dirty, err
}

func (f *fake) decide(apply bool) {
	b := fakeeditor.Behaviour{Consent: "reject", ConsentReason: "not this one"}
	if apply {
		b = fakeeditor.Behaviour{Consent: "apply"}
	}
	f.Behave(b)
}

func (f *fake) kill() {
	f.stage.wrong = append(f.stage.wrong, f.Violations()...)
	_ = f.cmd.Process.Kill() // it may have ended
	f.Kill()
	_ = f.cmd.Wait()
}

func (f *fake) quit() error {
	err := f.Stop(f.ctx)
	f.stage.wrong = append(f.stage.wrong, f.Violations()...)
	return errors.Join(err, f.cmd.Wait())
}

// openEditor starts the editor that the host is tried beside.
func (s *stage) openEditor(ctx context.Context) (editor, error) {
	if s.withNeovim() {
		return s.openNeovim(ctx)
	}
	return s.openFake(ctx)
}

func (s *stage) withNeovim() bool { return s.host.neovim && s.options.Neovim != "" }
