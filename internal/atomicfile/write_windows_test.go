package atomicfile

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

func (s *scene) mode(name string) uint32 {
	s.t.Helper()
	info, err := os.Lstat(s.file(name))
	disktest.Must(s.t, err)
	return uint32(info.Mode().Perm())
}

const killedCode = 137

func killSelf() {
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.TerminateProcess(self, killedCode)
	}
	panic(err)
}

func wasKilled(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == killedCode
}

// someoneWaits reports false: who finds the file held is refused.
func (s *scene) someoneWaits() bool { return false }

// isHeld reports whether an error says that another program has the file open,
// and does not share it.
func isHeld(err error) bool {
	return errors.Is(err, syscall.Errno(32)) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}

// special makes nothing: wine makes no links, and there are no FIFOs.
func (s *scene) special() []string { return nil }
