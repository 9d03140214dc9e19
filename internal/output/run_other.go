//go:build !linux && !darwin

package output

import (
	"context"
	"os"
	"os/exec"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// canRun: a command's children cannot be ended here as surely as elsewhere.
func canRun() error {
	return fault.New(fault.PermissionDenied, "commands are not run on this system").
		Advise("run the command yourself and hand its output to persist_output")
}

type group struct{}

func ownGroup(*exec.Cmd) group { return group{} }

func (group) start(context.Context) error { return canRun() }

func (group) wasTold() bool { return false }

func (group) end() {}

func howEnded(state *os.ProcessState) Ended { return Ended{ExitCode: state.ExitCode()} }
