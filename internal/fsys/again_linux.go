package fsys

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

// OpenAgain opens the pipe or terminal that a descriptor is of for itself, so
// that its mode, non-blocking, is shared with nobody. flag is [os.O_RDONLY] or
// [os.O_WRONLY]. It fails for sockets, other users' pipes, pipes without another
// end, and what cannot be waited for, as /dev/null.
func OpenAgain(fd uintptr, flag int) (*os.File, error) {
	f, err := os.OpenFile("/proc/self/fd/"+strconv.Itoa(int(fd)), flag|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if err := f.SetDeadline(time.Time{}); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
