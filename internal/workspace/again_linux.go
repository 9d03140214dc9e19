package workspace

import (
	"os"
	"strconv"
	"syscall"
)

// OpenAgain opens the pipe that a descriptor is of for itself, so that its mode,
// non-blocking, is shared with nobody. flag is [os.O_RDONLY] or [os.O_WRONLY].
// It fails for sockets, other users' pipes, and pipes without another end.
func OpenAgain(pipe uintptr, flag int) (*os.File, error) {
	return os.OpenFile("/proc/self/fd/"+strconv.Itoa(int(pipe)), flag|syscall.O_NONBLOCK, 0)
}
