//go:build linux || darwin

package workspace

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// dirCalls makes system calls in an open directory: through its descriptor and
// single names below it, so that no link that is exchanged for a part of a
// path can lead a call elsewhere. It does not own the descriptor.
type dirCalls struct {
	fd   int
	call caller
}

// newDirCalls returns the calls in dir, which has to stay open.
func newDirCalls(dir *os.File, call caller) dirCalls {
	return dirCalls{fd: int(dir.Fd()), call: call}
}

// caller makes one system call, do; what is its name. Tests put their own in
// its place to record the calls, to let one fail, to kill the process before
// one, or to let an editor save between two.
type caller func(what string, do func() error) error

// plainCall is the caller of production.
func plainCall(_ string, do func() error) error { return retryInterrupted(do) }

// fileStat is what the system says of a file.
type fileStat = unix.Stat_t

// Names of the calls whose order matters.
const (
	callOpen       = "open"
	callWrite      = "write"
	callSync       = "fsync"
	callSyncFolder = "fsync folder"
	callExchange   = "exchange"
	callUnlink     = "unlink"
)

// open never follows a link, never waits (for a FIFO's other end, say) and
// never truncates.
func (d dirCalls) open(name string, flags int, mode uint32) (fd int, err error) {
	flags |= unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	err = d.call(callOpen, func() (err error) {
		fd, err = unix.Openat(d.fd, name, flags, mode)
		return err
	})
	return fd, err
}

// close is for files that were only read, or flushed before: its result
// tells nothing new, and it is never repeated.
func (d dirCalls) close(fd int) { _ = unix.Close(fd) }

func (d dirCalls) stat(fd int) (st unix.Stat_t, err error) {
	err = d.call("fstat", func() error { return unix.Fstat(fd, &st) })
	return st, err
}

// statName does not follow a link.
func (d dirCalls) statName(name string) (st unix.Stat_t, err error) {
	err = d.call("fstatat", func() error {
		return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	return st, err
}

// lock keeps other writers of this kind out of the folder until the function
// it returns is called. An exchange that is undone is safe against editors
// without it, but three writers that all undo at once could put each other's
// refused texts back.
//
// Other programs lock folders for reasons of their own and for long, so
// waiting ends; the write then goes on without the lock.
func (d dirCalls) lock() (unlock func()) {
	fd, err := d.open(".", unix.O_RDONLY|unix.O_DIRECTORY, 0) // a lock belongs to one opening
	if err != nil {
		return func() {}
	}
	for range lockTries {
		err := d.call("flock", func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
		if err != unix.EWOULDBLOCK {
			break
		}
		_ = d.call("pause", func() error { time.Sleep(lockPause); return nil })
	}
	return func() { d.close(fd) }
}

const (
	lockTries = 300
	lockPause = time.Millisecond
)

// tryLock takes the lock of an open file; EWOULDBLOCK when another process has
// it.
func (d dirCalls) tryLock(fd int) error {
	return d.call("flock", func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
}

// access tells whether this process may write to the file.
func (d dirCalls) access(name string) error {
	return d.call("faccessat", func() error {
		return unix.Faccessat(d.fd, name, unix.W_OK, unix.AT_EACCESS)
	})
}

// read fills b from offset at on; io.EOF when there was less.
func (d dirCalls) read(fd int, b []byte, at int64) (n int, err error) {
	for n < len(b) {
		var m int
		err = d.call("read", func() (err error) {
			m, err = unix.Pread(fd, b[n:], at+int64(n))
			return err
		})
		if err != nil {
			return n, err
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// write puts all of b at the file's beginning, in as few calls as the system
// allows, and does not cut off what stands behind it.
func (d dirCalls) write(fd int, b []byte) error { return d.writeAt(fd, b, 0) }

func (d dirCalls) writeAt(fd int, b []byte, offset int64) error {
	for at := 0; at < len(b); {
		err := d.call(callWrite, func() error {
			n, err := unix.Pwrite(fd, b[at:], offset+int64(at))
			at += max(n, 0)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d dirCalls) truncate(fd int, size int64) error {
	return d.call("ftruncate", func() error { return unix.Ftruncate(fd, size) })
}

func (d dirCalls) sync(fd int) error {
	return d.call(callSync, func() error { return flush(fd) })
}

func (d dirCalls) syncFolder() error {
	return d.call(callSyncFolder, func() error { return flush(d.fd) })
}

// exchange swaps what two names stand for, in one step.
func (d dirCalls) exchange(a, b string) error {
	return d.call(callExchange, func() error { return exchangeNames(d.fd, a, b) })
}

// rename replaces what stands at to.
func (d dirCalls) rename(from, to string) error {
	return d.call("rename", func() error { return unix.Renameat(d.fd, from, d.fd, to) })
}

// renameNew fails with EEXIST when anything stands at to in the folder in.
func (d dirCalls) renameNew(from string, in dirCalls, to string) error {
	return d.call("rename new", func() error { return renameNew(d.fd, from, in.fd, to) })
}

func (d dirCalls) link(from string, in dirCalls, to string) error {
	return d.call("link", func() error { return unix.Linkat(d.fd, from, in.fd, to, 0) })
}

// makeFolder gives it the mode that the umask leaves.
func (d dirCalls) makeFolder(name string) error {
	return d.call("mkdir", func() error { return unix.Mkdirat(d.fd, name, 0o777) })
}

// openFolder follows no link. The caller closes the folder.
func (d dirCalls) openFolder(name string) (*os.File, error) {
	fd, err := d.open(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// removeFolder removes an empty folder.
func (d dirCalls) removeFolder(name string) error {
	return d.call("rmdir", func() error { return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) })
}

func (d dirCalls) unlink(name string) error {
	return d.call(callUnlink, func() error { return unix.Unlinkat(d.fd, name, 0) })
}

func (d dirCalls) chown(fd int, uid, gid uint32) error {
	return d.call("fchown", func() error { return unix.Fchown(fd, int(uid), int(gid)) })
}

func (d dirCalls) chmod(fd int, mode uint32) error {
	return d.call("fchmod", func() error { return unix.Fchmod(fd, mode) })
}

func (d dirCalls) listAttrs(fd int, buf []byte) (n int, err error) {
	err = d.call("flistxattr", func() (err error) {
		n, err = unix.Flistxattr(fd, buf)
		return err
	})
	return n, err
}

func (d dirCalls) attr(fd int, name string, buf []byte) (n int, err error) {
	err = d.call("fgetxattr", func() (err error) {
		n, err = unix.Fgetxattr(fd, name, buf)
		return err
	})
	return n, err
}

func (d dirCalls) setAttr(fd int, name string, value []byte) error {
	return d.call("fsetxattr", func() error { return unix.Fsetxattr(fd, name, value, 0) })
}

func (d dirCalls) removeAttr(fd int, name string) error {
	return d.call("fremovexattr", func() error { return unix.Fremovexattr(fd, name) })
}
