package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/Microsoft/go-winio"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Sockets are named pipes here. A socket's path, beside its registration, names
// the pipe; there is no file of that name.

// pipeName returns the pipe for the socket at an absolute path, the same for
// every spelling of its folder.
func pipeName(path string) string {
	folder, err := fsys.RealPath(filepath.Dir(path))
	if err != nil {
		folder = filepath.Dir(path)
	}
	sum := sha256.Sum256([]byte(fsys.FoldPath(filepath.ToSlash(filepath.Join(folder, filepath.Base(path))))))
	return `\\.\pipe\agent-lsp-` + hex.EncodeToString(sum[:16])
}

// listener is a pipe's that tells the socket's path.
type listener struct {
	net.Listener
	path string
}

// Addr returns the socket's path.
func (l listener) Addr() net.Addr { return &net.UnixAddr{Name: l.path, Net: "unix"} }

// listenAt opens the pipe for the socket at an absolute path. Nobody but this
// user may connect, and nobody from another machine; a pipe that somebody else
// made before is an error.
func listenAt(_ context.Context, _ *os.Root, _, path string) (net.Listener, error) {
	user, err := fsys.UserSID()
	if err != nil {
		return nil, err
	}
	name := pipeName(path)
	l, err := winio.ListenPipe(name, &winio.PipeConfig{
		SecurityDescriptor: "O:" + user + "D:P(A;;GA;;;" + user + ")",
		InputBufferSize:    clientBuffer, OutputBufferSize: clientBuffer,
	})
	if err != nil {
		return nil, err
	}
	fsys.TakeFirstPipe(name)
	return listener{l, path}, nil
}

// dialTimeout is how long somebody who has a pipe may take to accept at it: unlike
// a socket's, a pipe's connections do not wait in a queue.
const dialTimeout = time.Second

// dialAt connects to the pipe for the socket at a path.
func dialAt(ctx context.Context, path string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	c, err := winio.DialPipeContext(ctx, pipeName(path))
	if err != nil {
		return nil, err
	}
	return &dialled{c}, nil
}

// dialled is the end of a pipe that did not make it.
type dialled struct{ net.Conn }

// checkPeer reports whether the other end's process is this user's.
func checkPeer(c net.Conn) error {
	pipe, serves, err := pipeOf(c)
	if err != nil {
		return err
	}
	if err := fsys.CheckPipePeer(pipe, serves); err != nil {
		return fault.New(fault.PermissionDenied, "%s", err.Error()).Advise("Remove the registration of the session.")
	}
	return nil
}

func pipeOf(c net.Conn) (pipe uintptr, serves bool, err error) {
	client, ok := c.(*dialled)
	if ok {
		c = client.Conn
	}
	p, isPipe := c.(interface{ Fd() uintptr })
	if !isPipe {
		return 0, false, fmt.Errorf("%T has no peer", c)
	}
	return p.Fd(), !ok, nil
}

// hungUp reports whether the other end is gone.
func hungUp(c net.Conn) bool {
	pipe, _, err := pipeOf(c)
	return err == nil && fsys.PipeHungUp(pipe)
}
