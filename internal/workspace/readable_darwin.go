package workspace

import "golang.org/x/sys/unix"

// pollOnce looks at descriptors without waiting and returns how many have an
// event.
func pollOnce(fds []unix.PollFd) int {
	n, err := unix.Poll(fds, 0)
	if err != nil {
		return 0
	}
	return n
}
