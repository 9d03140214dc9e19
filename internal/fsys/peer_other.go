//go:build !linux && !darwin

package fsys

import (
	"errors"
	"syscall"
)

// PeerUser returns the id of the user whose process is at the other end of a
// local socket.
func PeerUser(syscall.RawConn) (uid int, err error) {
	return 0, errors.New("the user at the other end of a socket cannot be told on this system")
}
