package stdio

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// openOwn returns a file of a kind so that it never waits in a system call,
// whatever those do with its mode who share it: a wrapper written for Node sets
// the mode back that it found, when it ends.
func openOwn(f *os.File, flag int, kind fs.FileMode) (*file, error) {
	if kind&fs.ModeSocket != 0 {
		return openSocket(f)
	}
	own, err := fsys.OpenAgain(f.Fd(), flag)
	if err != nil {
		return nil, err
	}
	return &file{File: own, name: f.Name(), readOnce: syscall.Read, writeOnce: syscall.Write}, nil
}

// openSocket needs the non-blocking mode for the moment in which the poller is
// told of the socket.
func openSocket(f *os.File) (*file, error) {
	shared := int(f.Fd())
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(shared), syscall.F_GETFL, 0)
	if errno != 0 {
		return nil, errno
	}
	own, err := openDuplicate(f)
	if err != nil {
		return nil, err
	}
	if flags&syscall.O_NONBLOCK == 0 {
		_ = syscall.SetNonblock(shared, false)
	}
	return &file{File: own, name: f.Name(), readOnce: receive, writeOnce: send}, nil
}

// receive is [syscall.Read] that does not wait, whatever the socket's mode is.
func receive(fd int, b []byte) (int, error) {
	n, _, err := syscall.Recvfrom(fd, b, syscall.MSG_DONTWAIT)
	return n, err
}

// send is [syscall.Write] that does not wait, whatever the socket's mode is.
func send(fd int, b []byte) (int, error) {
	return syscall.SendmsgN(fd, b, nil, nil, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}
