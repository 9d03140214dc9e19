package session

import (
	"context"
	"net"
	"os"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Named pipes belong here: with an access list for this user alone, and the
// other end's user checked.

func errNoTransport() error {
	return fault.New(fault.NoEditor, "sessions are not shared between processes on Windows yet")
}

func listenAt(context.Context, *os.Root, string, string) (net.Listener, error) {
	return nil, errNoTransport()
}

func dialAt(context.Context, string) (net.Conn, error) { return nil, errNoTransport() }

func checkPeer(net.Conn) error { return errNoTransport() }

func hungUp(net.Conn) bool { return false }
