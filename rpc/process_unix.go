//go:build unix

package rpc

import (
	"errors"
	"syscall"
)

// processAlive reports whether there is a process with the given id.
func processAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
