//go:build linux || darwin

package output

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// A command whose parent is killed is ended by its watcher: a shell in a group
// of its own, with a pipe that this process holds the other end of. It knows
// the group before the command begins, because the command waits for that.

// gated begins the command behind it when a line comes from descriptor 3, and
// never where that ends without one.
const gated = `read -r go <&3 && exec "$@" 3<&-`

// watch waits for the end of its input and then ends the group $1 as
// [group.end] does.
const watch = `trap '' HUP INT QUIT TERM
read -r never
kill -s TERM -- "-$1" || exit
left=20
while [ $left -gt 0 ] && sleep 0.1 && kill -s 0 -- "-$1"; do left=$((left-1)); done
kill -s KILL -- "-$1"`

// watcher is the watcher of a command. Its pipe is closed by the end of this
// process, whatever ends it, or by Wait.
type watcher struct {
	cmd  *exec.Cmd
	pipe io.Closer
}

// newWatcher starts the watcher of a group.
func newWatcher(ctx context.Context, group int) (*watcher, error) {
	// It outlives the context, whose end ends the group only.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), shellPath, "-c", watch, "sh", strconv.Itoa(group)) //nolint:gosec // a number
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &watcher{cmd, pipe}, nil
}

// end ends the watcher, once its group has ended.
func (w *watcher) end() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait() // it was killed
}

// runnable returns the error of starting a program by the shell that holds it
// back, which would only tell by its exit code.
func runnable(cmd *exec.Cmd) error {
	path := cmd.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmd.Dir, path)
	}
	_, err := exec.LookPath(path)
	if errors.Is(err, syscall.EISDIR) {
		return syscall.EACCES
	}
	return err
}

// start starts the command and its watcher, and then lets the command begin.
func (g *group) start(ctx context.Context) error {
	wait, begin, err := os.Pipe()
	if err != nil {
		return err
	}
	defer begin.Close()
	g.cmd.ExtraFiles = []*os.File{wait} // descriptor 3
	err = g.cmd.Start()
	wait.Close()
	if err != nil {
		return err
	}
	if g.watcher, err = newWatcher(ctx, g.cmd.Process.Pid); err != nil {
		begin.Close() // the command ends without having begun
		_ = g.cmd.Wait()
		return err
	}
	_, _ = begin.WriteString("\n") // who has been ended reads nothing
	return nil
}
