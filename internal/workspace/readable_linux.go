package workspace

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pollOnce looks at descriptors without waiting and returns how many have an
// event. As in package direct, the scheduler is not told.
func pollOnce(fds []unix.PollFd) int {
	var none unix.Timespec
	n, _, errno := syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(unsafe.SliceData(fds))), uintptr(len(fds)),
		uintptr(unsafe.Pointer(&none)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
