//go:build unix

package rpc

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
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
	return &stdio{File: os.NewFile(uintptr(fd), f.Name()), shared: shared}
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
}

// Close also takes back the non-blocking mode, which the descriptors share
// with each other and with whoever uses the same pipe after this process.
func (f *stdio) Close() error {
	return errors.Join(f.File.Close(), syscall.SetNonblock(f.shared, false))
}
