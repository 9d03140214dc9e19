package output

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Shell returns the arguments that run a line of shell, the command processor's.
func Shell(command string) []string {
	return []string{fsys.SystemFolder() + `\cmd.exe`, shellOption, command}
}

// shellOption has the command processor take what stands between the outer quotes
// as it is; see [ownGroup].
const shellOption = "/d /s /c"

// group is a command's processes, in a job that ends with this process.
type group struct {
	cmd   *exec.Cmd
	job   fsys.Job
	limit *time.Timer // ends the job; runs since the group was told to end
}

// ownGroup has a command that is not started yet wait for [group.start], and has
// its context end all that it starts.
func ownGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	const suspended = 0x4 // CREATE_SUSPENDED
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: suspended | syscall.CREATE_NEW_PROCESS_GROUP}
	if len(cmd.Args) == 3 && cmd.Args[1] == shellOption {
		cmd.SysProcAttr.CmdLine = `"` + cmd.Args[0] + `" ` + shellOption + ` "` + strings.TrimSpace(cmd.Args[2]) + `"`
	}
	cmd.Cancel = g.tell
	return g
}

// start starts the command and lets it begin once it is in its job.
func (g *group) start(context.Context) (err error) {
	if g.job, err = fsys.NewJob(); err != nil {
		return err
	}
	if err = g.cmd.Start(); err != nil {
		g.job.Close()
		return err
	}
	if err = g.job.Begin(g.cmd.Process.Pid); err != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		g.job.Close()
	}
	return err
}

// tell tells the group to end, and ends it killDelay later; at once where it has
// no console to be told by.
func (g *group) tell() error {
	delay := killDelay
	if g.job.Tell(g.cmd.Process.Pid) != nil {
		delay = 0
	}
	g.limit = time.AfterFunc(delay, g.job.End)
	return nil
}

// wasTold tells, once the command has ended, whether its context ended it.
func (g *group) wasTold() bool { return g.limit != nil }

// end ends what is left of a group whose leader has ended.
func (g *group) end() {
	if g.limit != nil {
		g.limit.Stop()
	}
	g.job.End()
	g.job.Close()
}

func howEnded(state *os.ProcessState) Ended { return Ended{ExitCode: state.ExitCode()} }
