//go:build linux || darwin

package output

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

const shellPath = "/bin/sh"

// Shell returns the arguments that run a line of shell.
func Shell(command string) []string { return []string{shellPath, "-c", command} }

// group is a command's process group.
type group struct {
	cmd     *exec.Cmd
	watcher *watcher
	limit   *time.Timer // runs since the group was told to end
}

// ownGroup makes a command that is not started yet the leader of a group, has
// its context end the group, and has it wait for [group.start].
func ownGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	if cmd.Err == nil {
		cmd.Err = runnable(cmd)
	}
	cmd.Path, cmd.Args = shellPath, append([]string{"sh", "-c", gated, "sh"}, cmd.Args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = g.tell
	return g
}

// tell tells the group to end.
func (g *group) tell() error {
	g.limit = time.NewTimer(killDelay)
	return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM)
}

// wasTold tells, once the command has ended, whether its context ended it.
func (g *group) wasTold() bool { return g.limit != nil }

// end ends what is left of a group whose leader has ended: with a signal that
// can be handled and, killDelay after it was first told, with one that cannot.
// A group's number is not given to others while it has members.
func (g *group) end() {
	defer g.watcher.end()
	if !g.wasTold() && g.tell() != nil {
		g.limit.Stop()
		return // nobody is left
	}
	defer g.limit.Stop()
	pid := g.cmd.Process.Pid
	look := time.NewTicker(killDelay / 100)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if syscall.Kill(-pid, 0) != nil {
				return
			}
		case <-g.limit.C:
			_ = syscall.Kill(-pid, syscall.SIGKILL) // whoever is left
			return
		}
	}
}

func howEnded(state *os.ProcessState) Ended {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return Ended{ExitCode: state.ExitCode()}
	}
	return Ended{ExitCode: 128 + int(status.Signal()), Signal: signalName(status.Signal())}
}

func signalName(s syscall.Signal) string {
	if name, ok := signals[s]; ok {
		return name
	}
	return "signal " + strconv.Itoa(int(s))
}

var signals = map[syscall.Signal]string{
	syscall.SIGABRT: "SIGABRT", syscall.SIGALRM: "SIGALRM", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
	syscall.SIGHUP: "SIGHUP", syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT", syscall.SIGKILL: "SIGKILL",
	syscall.SIGPIPE: "SIGPIPE", syscall.SIGQUIT: "SIGQUIT", syscall.SIGSEGV: "SIGSEGV", syscall.SIGSYS: "SIGSYS",
	syscall.SIGTERM: "SIGTERM", syscall.SIGTRAP: "SIGTRAP", syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ",
}
