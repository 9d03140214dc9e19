//go:build unix

package session

import (
	"context"
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// socketMode lets nobody else connect, where the system looks at it.
const socketMode = 0o600

// listenAt opens the socket at an absolute path in an open private folder.
// Closing the listener removes it.
func listenAt(ctx context.Context, in *os.Root, name, path string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := in.Chmod(name, socketMode); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// dialAt connects to the socket at a path.
func dialAt(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", path)
}

// checkPeer reports whether the other end's process is this user's.
func checkPeer(c net.Conn) error {
	s, ok := c.(syscall.Conn)
	if !ok {
		return fmt.Errorf("%T has no peer", c)
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return err
	}
	uid, err := fsys.PeerUser(raw)
	if err != nil {
		return err
	}
	if uid != os.Geteuid() {
		return errOtherUser(uid)
	}
	return nil
}

// hungUp reports whether the other end is gone.
func hungUp(c net.Conn) (gone bool) {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return true
	}
	err = raw.Control(func(fd uintptr) { gone = fsys.HungUp(fd) })
	return err != nil || gone
}
