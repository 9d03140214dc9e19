//go:build unix

package rpc

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Stdio returns a process's standard input and output as a connection's two
// ends, usually of [os.Stdin] and [os.Stdout].
//
// Reads and writes of pipes, sockets and, on Linux, terminals become
// interruptible, so that closing them ends a read that waits for a client who
// says nothing. A client that is gone gives a write an error; writing to
// [os.Stdout] itself would end the process by SIGPIPE, with edits half done.
// Other files are returned as they are. Neither of the two may be used in another
// way afterwards.
func Stdio(stdin, stdout *os.File) (in io.ReadCloser, out io.WriteCloser) {
	l := new(lent)
	return interruptible(stdin, os.O_RDONLY, l), interruptible(stdout, os.O_WRONLY, l)
}

func interruptible(f *os.File, flag int, l *lent) io.ReadWriteCloser {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) == 0 {
		return f
	}
	s, err := openOwn(f, flag, info.Mode())
	if err != nil && info.Mode()&fs.ModeCharDevice == 0 { // a shell needs its terminal's mode
		s, err = openShared(f, l)
	}
	if err != nil {
		return f
	}
	s.raw, _ = s.SyscallConn() // it fails for none that is open
	return s
}

// openShared returns a pipe or socket in non-blocking mode, which l takes back.
func openShared(f *os.File, l *lent) (*stdio, error) {
	own, err := openDuplicate(f)
	if err != nil {
		return nil, err
	}
	l.add(int(f.Fd()))
	return &stdio{File: own, name: f.Name(), readOnce: plain(syscall.Read), writeOnce: plain(syscall.Write), giveBack: l.done}, nil
}

// plain has a system call say that nothing came with an error.
func plain(f func(int, []byte) (int, error)) func(uintptr, []byte) (int, error) {
	return func(fd uintptr, b []byte) (int, error) {
		n, err := f(int(fd), b)
		return max(n, 0), err
	}
}

// openDuplicate returns another descriptor of f: one that is not 1, whose
// broken pipe is a signal, and that children do not inherit. Both are in
// non-blocking mode then.
func openDuplicate(f *os.File) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// lent are descriptors whose mode was changed, which they share with whoever
// uses the same pipe after this process, and perhaps with each other.
type lent struct {
	mu    sync.Mutex
	users int
	fds   []int
}

func (l *lent) add(fd int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users++
	l.fds = append(l.fds, fd)
}

// done takes the modes back when all are closed.
func (l *lent) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users > 0 {
		return
	}
	for _, fd := range l.fds {
		_ = syscall.SetNonblock(fd, false) // it may be closed
	}
}

// stdio is a standard file by another descriptor.
type stdio struct {
	*os.File
	name string
	raw  syscall.RawConn
	tide tide
	// readOnce and writeOnce do not wait, but return EAGAIN.
	readOnce, writeOnce func(fd uintptr, b []byte) (n int, err error)
	giveBack            func() // may be nil
}

// Read implements [io.Reader]. It keeps the tide.
func (f *stdio) Read(b []byte) (n int, err error) {
	failed := f.raw.Read(func(fd uintptr) (done bool) {
		n, err, done = f.tide.read(b, func(b []byte) (int, error) { return f.readOnce(fd, b) })
		return done
	})
	switch {
	case failed != nil:
		return 0, failed
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements [io.Writer].
func (f *stdio) Write(b []byte) (n int, err error) {
	failed := f.raw.Write(func(fd uintptr) (done bool) {
		for err = nil; (err == nil || errors.Is(err, syscall.EINTR)) && n < len(b); {
			var written int
			written, err = f.writeOnce(fd, b[n:])
			n += written
		}
		return !errors.Is(err, syscall.EAGAIN)
	})
	switch {
	case failed != nil:
		return n, failed
	case err != nil:
		return n, &fs.PathError{Op: "write", Path: f.name, Err: err}
	}
	return n, nil
}

// settle returns when what had been sent before the call is read and handled,
// or ctx ends.
func (f *stdio) settle(ctx context.Context) {
	f.tide.settle(ctx, func() (waits bool) {
		err := f.raw.Control(func(fd uintptr) { waits = workspace.Readable(fd) })
		return err == nil && waits
	})
}

// Close implements [io.Closer].
func (f *stdio) Close() error {
	err := f.File.Close()
	if err == nil && f.giveBack != nil {
		f.giveBack()
	}
	return err
}
