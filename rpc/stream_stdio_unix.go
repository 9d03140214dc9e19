//go:build unix

package rpc

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/direct"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Stdio returns a process's standard input and output as a connection's two
// ends, usually of [os.Stdin] and [os.Stdout].
//
// Reads and writes of pipes and sockets become interruptible, so that closing
// them ends a read that waits for a client who says nothing. A client that is
// gone gives a write an error; writing to [os.Stdout] itself would end the
// process by SIGPIPE, with edits half done. Other files are returned as they
// are. Neither of the two may be used in another way afterwards.
func Stdio(stdin, stdout *os.File) (in io.ReadCloser, out io.WriteCloser) {
	return interruptible(stdin), interruptible(stdout)
}

func interruptible(f *os.File) io.ReadWriteCloser {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f
	}
	shared := int(f.Fd())
	fd, err := duplicate(shared)
	if err != nil {
		return f
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return f
	}
	own := os.NewFile(uintptr(fd), f.Name())
	raw, err := own.SyscallConn()
	if err != nil {
		_ = own.Close()
		return f
	}
	return &stdio{File: own, shared: shared, raw: raw}
}

// duplicate returns another descriptor for fd: one that is not 1, whose
// broken pipe is a signal, and that children do not inherit.
func duplicate(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	other, err := syscall.Dup(fd)
	if err == nil {
		syscall.CloseOnExec(other)
	}
	return other, err
}

// stdio is a duplicate of a standard file.
type stdio struct {
	*os.File
	shared int // the original descriptor
	raw    syscall.RawConn
	tide   tide
}

// Read implements [io.Reader]. It keeps the tide.
func (f *stdio) Read(b []byte) (n int, err error) {
	failed := f.raw.Read(func(fd uintptr) (done bool) {
		n, err, done = f.tide.read(b, func(b []byte) (int, error) { return direct.Read(fd, b) })
		return done
	})
	switch {
	case failed != nil:
		return 0, failed
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements [io.Writer].
func (f *stdio) Write(b []byte) (n int, err error) {
	failed := f.raw.Write(func(fd uintptr) (done bool) {
		for err = nil; err == nil && n < len(b); {
			var written int
			written, err = direct.Write(fd, b[n:])
			n += written
		}
		return !errors.Is(err, syscall.EAGAIN)
	})
	switch {
	case failed != nil:
		return n, failed
	case err != nil:
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: err}
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

// Close also takes back the non-blocking mode, which the descriptors share
// with each other and with whoever uses the same pipe after this process.
func (f *stdio) Close() error {
	return errors.Join(f.File.Close(), syscall.SetNonblock(f.shared, false))
}
