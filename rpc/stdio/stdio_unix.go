//go:build unix

package stdio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Open returns a process's standard input and output as a connection's two
// ends, usually of [os.Stdin] and [os.Stdout].
//
// Reads and writes of pipes, sockets and, on Linux, terminals become
// interruptible, so that closing them ends a read that waits for a client who
// says nothing. A client that is gone gives a write an error; writing to
// [os.Stdout] itself would end the process by SIGPIPE, with edits half done.
// Other files are returned as they are. Neither of the two may be used in another
// way afterwards.
//
// drain waits until all that had been sent on in before the call is read and
// handled, or a while without that; it is nil where that is returned as it is.
func Open(stdin, stdout *os.File) (in io.ReadCloser, out io.WriteCloser, drain func(context.Context)) {
	modes := new(sharedModes)
	in, out = stdin, stdout
	if s := interruptible(stdin, os.O_RDONLY, modes); s != nil {
		in, drain = s, s.waitDrained
	}
	if s := interruptible(stdout, os.O_WRONLY, modes); s != nil {
		out = s
	}
	return in, out, drain
}

// interruptible returns nil when f stays as it is.
func interruptible(f *os.File, flag int, modes *sharedModes) *file {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) == 0 {
		return nil
	}
	s, err := openOwn(f, flag, info.Mode())
	if err != nil && info.Mode()&fs.ModeCharDevice == 0 { // a shell needs its terminal's mode
		s, err = openShared(f, modes)
	}
	if err != nil {
		return nil
	}
	s.raw, _ = s.SyscallConn() // it fails for none that is open
	return s
}

// openShared returns a pipe or socket in non-blocking mode, which modes takes back.
func openShared(f *os.File, modes *sharedModes) (*file, error) {
	own, err := openDuplicate(f)
	if err != nil {
		return nil, err
	}
	modes.add(int(f.Fd()))
	return &file{File: own, name: f.Name(), readOnce: syscall.Read, writeOnce: syscall.Write, closed: modes.done}, nil
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

// sharedModes are descriptors whose mode was changed, which they share with
// whoever uses the same pipe after this process, and perhaps with each other.
type sharedModes struct {
	mu    sync.Mutex
	users int
	fds   []int
}

func (m *sharedModes) add(fd int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users++
	m.fds = append(m.fds, fd)
}

// done takes the modes back when all are closed.
func (m *sharedModes) done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users--; m.users > 0 {
		return
	}
	for _, fd := range m.fds {
		_ = syscall.SetNonblock(fd, false) // it may be closed
	}
}

// file is a standard file by another descriptor.
type file struct {
	*os.File
	name  string
	raw   syscall.RawConn
	drain drain
	// readOnce and writeOnce do not wait, but return EAGAIN.
	readOnce, writeOnce func(fd int, b []byte) (n int, err error)
	closed              func() // is called once; may be nil
}

// Read implements [io.Reader].
func (f *file) Read(b []byte) (n int, err error) {
	failed := f.raw.Read(func(fd uintptr) (done bool) {
		n, err, done = f.drain.read(b, func(b []byte) (int, error) { return f.readOnce(int(fd), b) })
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
func (f *file) Write(b []byte) (n int, err error) {
	failed := f.raw.Write(func(fd uintptr) (done bool) {
		for err = nil; (err == nil || errors.Is(err, syscall.EINTR)) && n < len(b); {
			var written int
			written, err = f.writeOnce(int(fd), b[n:])
			n += max(written, 0)
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

// waitDrained returns when what had been sent is handled; see [Open].
func (f *file) waitDrained(ctx context.Context) {
	f.drain.wait(ctx, func() (readable bool) {
		err := f.raw.Control(func(fd uintptr) { readable = fsys.Readable(fd) })
		return err == nil && readable
	})
}

// Close implements [io.Closer].
func (f *file) Close() error {
	err := f.File.Close()
	if err == nil && f.closed != nil {
		f.closed()
	}
	return err
}
