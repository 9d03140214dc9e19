package rpc

import "syscall"

// processAlive reports whether there is a process with the given id.
func processAlive(pid int) bool {
	p, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return err == syscall.ERROR_ACCESS_DENIED // another user's
	}
	defer syscall.CloseHandle(p)
	ended, err := syscall.WaitForSingleObject(p, 0)
	return err != nil || ended != syscall.WAIT_OBJECT_0
}
