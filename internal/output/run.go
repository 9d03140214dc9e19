package output

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Limits of a command's time.
const (
	DefaultTimeout = 2 * time.Minute
	MaxTimeout     = time.Hour
	// killDelay is how long a group that was told to end may take, and how
	// long the pipes of a command that ended are still read.
	killDelay = 2 * time.Second
)

// Command is what [Run] runs.
type Command struct {
	Args    []string      // program and arguments; see [Shell]
	Dir     string        // absolute
	Env     []string      // "NAME=value", all of it
	Timeout time.Duration // 0 for none
}

// Ended is how a command ended.
type Ended struct {
	// ExitCode is the program's own, or 128 and the number of the signal that
	// ended it.
	ExitCode int
	Signal   string // "SIGKILL"; "" when it ended by itself
	TimedOut bool
}

// Run runs a command into r, which stays open, and returns when it has ended.
// The command gets no input, and a process group of its own. When ctx ends or
// the time is over, the group is told to end (SIGTERM) and, two seconds later,
// is ended (SIGKILL); on Windows by Ctrl+Break, and with its job. What is left of the group when the command has ended by
// itself is ended likewise, so that nothing holds on to the pipes; who means
// to stay has to leave the group (setsid). The group is ended likewise when
// this process is, by whatever.
//
// Errors: cancelled, for the end of ctx; not_found and permission_denied for
// what cannot be started; io_error.
func Run(ctx context.Context, c Command, r *Recording) (Ended, error) {
	limited, stop := context.WithCancel(ctx)
	if c.Timeout > 0 {
		limited, stop = context.WithTimeout(ctx, c.Timeout)
	}
	defer stop()
	cmd := exec.CommandContext(limited, c.Args[0], c.Args[1:]...) //nolint:gosec // running what it is given is what it is for
	cmd.Dir, cmd.Env = c.Dir, c.environment()
	cmd.Stdout, cmd.Stderr = r.Stdout, r.Stderr
	cmd.WaitDelay = killDelay
	group := ownGroup(cmd)
	if err := group.start(ctx); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return Ended{}, cannotStart(err, c.Args[0])
	}
	err := cmd.Wait()
	timedOut := group.wasTold() && ctx.Err() == nil
	group.end()
	switch {
	case ctx.Err() != nil:
		return Ended{}, fault.From(ctx.Err())
	case cmd.ProcessState == nil:
		return Ended{}, fault.New(fault.IO, "the command cannot be waited for: %v", err)
	}
	ended := howEnded(cmd.ProcessState)
	ended.TimedOut = timedOut
	return ended, nil
}

// environment is never nil: that would be this process's own.
func (c Command) environment() []string {
	env := append([]string{}, c.Env...)
	if c.Dir != "" {
		env = append(env, "PWD="+c.Dir)
	}
	return env
}

func cannotStart(err error, program string) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.NotFound, "the program cannot be found").At(program).
			Advise("check its name and the PATH; a line of shell is for run-command")
	}
	return fault.New(fault.KindOf(err), "the program cannot be started: %v", err).At(program)
}
