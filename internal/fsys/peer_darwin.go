package fsys

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// PeerUser returns the id of the user whose process is at the other end of a
// local socket.
func PeerUser(c syscall.RawConn) (uid int, err error) {
	var cred *unix.Xucred
	var failed error
	err = c.Control(func(fd uintptr) {
		cred, failed = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
