//go:build linux || darwin

package fsys

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// DirCalls makes system calls in an open directory: through its descriptor and
// single names below it, so that no link that is exchanged for a part of a
// path can lead a call elsewhere. It does not own the descriptor.
type DirCalls struct {
	fd   int
	Call Caller
}

// NewDirCalls returns the calls in dir, which has to stay open.
func NewDirCalls(dir *os.File, call Caller) DirCalls {
	return DirCalls{fd: int(dir.Fd()), Call: call}
}

// Exchanges reports whether two names can change places in one step, where the
// file system does that.
const Exchanges = true

// WatchingExcludes reports whether nobody can write to a file that
// [DirCalls.WatchWriters] watches; where it does not, a program may wait to.
const WatchingExcludes = false

// RawStat is what the system says of a file.
type RawStat = unix.Stat_t

// Open never follows a link, never waits (for a FIFO's other end, say) and
// never truncates.
func (d DirCalls) Open(name string, flags int, mode uint32) (fd int, err error) {
	flags |= unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	err = d.Call(CallOpen, func() (err error) {
		fd, err = unix.Openat(d.fd, name, flags, mode)
		return err
	})
	return fd, err
}

// Close is for files that were only read, or flushed before: its result
// tells nothing new, and it is never repeated.
func (d DirCalls) Close(fd int) { _ = unix.Close(fd) }

// Stat returns what the system says of an open file.
func (d DirCalls) Stat(fd int) (st unix.Stat_t, err error) {
	err = d.Call("fstat", func() error { return unix.Fstat(fd, &st) })
	return st, err
}

// StatName does not follow a link.
func (d DirCalls) StatName(name string) (st unix.Stat_t, err error) {
	err = d.Call("fstatat", func() error {
		return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	return st, err
}

// Lock keeps other writers of this kind out of the folder until the function
// it returns is called. An exchange that is undone is safe against editors
// without it, but three writers that all undo at once could put each other's
// refused texts back.
//
// Other programs lock folders for reasons of their own and for long, so
// waiting ends; the write then goes on without the lock.
func (d DirCalls) Lock() (unlock func()) {
	fd, err := d.Open(".", unix.O_RDONLY|unix.O_DIRECTORY, 0) // a lock belongs to one opening
	if err != nil {
		return func() {}
	}
	for range lockTries {
		err := d.Call("flock", func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
		if err != unix.EWOULDBLOCK {
			break
		}
		_ = d.Call("pause", func() error { time.Sleep(lockPause); return nil })
	}
	return func() { d.Close(fd) }
}

// TryLock takes the lock of an open file; EWOULDBLOCK when another process has
// it.
func (d DirCalls) TryLock(fd int) error {
	return d.Call("flock", func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
}

// Access reports whether this process may write to the file.
func (d DirCalls) Access(name string) error {
	return d.Call("faccessat", func() error {
		return unix.Faccessat(d.fd, name, unix.W_OK, unix.AT_EACCESS)
	})
}

// Read fills b from offset at on; io.EOF when there was less.
func (d DirCalls) Read(fd int, b []byte, at int64) (n int, err error) {
	for n < len(b) {
		var m int
		err = d.Call("read", func() (err error) {
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

// Write puts all of b at the file's beginning, in as few calls as the system
// allows, and does not cut off what stands behind it.
func (d DirCalls) Write(fd int, b []byte) error { return d.WriteAt(fd, b, 0) }

// WriteAt writes all of b from offset on.
func (d DirCalls) WriteAt(fd int, b []byte, offset int64) error {
	for at := 0; at < len(b); {
		err := d.Call(CallWrite, func() error {
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

// Truncate sets the size of an open file, in bytes.
func (d DirCalls) Truncate(fd int, size int64) error {
	return d.Call("ftruncate", func() error { return unix.Ftruncate(fd, size) })
}

// Sync flushes an open file to the medium.
func (d DirCalls) Sync(fd int) error {
	return d.Call(CallSync, func() error { return flush(fd) })
}

// SyncFolder flushes the directory to the medium.
func (d DirCalls) SyncFolder() error {
	return d.Call(CallSyncFolder, func() error { return flush(d.fd) })
}

// Exchange exchanges what two names stand for, in one step.
func (d DirCalls) Exchange(a, b string) error {
	return d.Call(CallExchange, func() error { return ExchangeNames(d.fd, a, b) })
}

// Rename replaces what stands at to.
func (d DirCalls) Rename(from, to string) error {
	return d.Call("rename", func() error { return unix.Renameat(d.fd, from, d.fd, to) })
}

// RenameNew fails with EEXIST when anything stands at to in the folder in.
func (d DirCalls) RenameNew(from string, in DirCalls, to string) error {
	return d.Call("rename new", func() error { return renameNew(d.fd, from, in.fd, to) })
}

// Link gives the file at from a second name, to in the folder in.
func (d DirCalls) Link(from string, in DirCalls, to string) error {
	return d.Call("link", func() error { return unix.Linkat(d.fd, from, in.fd, to, 0) })
}

// MakeFolder gives it the mode that the umask leaves.
func (d DirCalls) MakeFolder(name string) error {
	return d.Call("mkdir", func() error { return unix.Mkdirat(d.fd, name, 0o777) })
}

// OpenFolder follows no link. The caller closes the folder.
func (d DirCalls) OpenFolder(name string) (*os.File, error) {
	fd, err := d.Open(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// RemoveFolder removes an empty folder.
func (d DirCalls) RemoveFolder(name string) error {
	return d.Call("rmdir", func() error { return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) })
}

// Unlink removes a name that stands for no folder.
func (d DirCalls) Unlink(name string) error {
	return d.Call(CallUnlink, func() error { return unix.Unlinkat(d.fd, name, 0) })
}

// Chown changes the owner of an open file.
func (d DirCalls) Chown(fd int, uid, gid uint32) error {
	return d.Call("fchown", func() error { return unix.Fchown(fd, int(uid), int(gid)) })
}

// Chmod changes the mode of an open file.
func (d DirCalls) Chmod(fd int, mode uint32) error {
	return d.Call("fchmod", func() error { return unix.Fchmod(fd, mode) })
}

// ListAttrs reads the names of the extended attributes of an open file, each with a NUL behind it.
func (d DirCalls) ListAttrs(fd int, buf []byte) (n int, err error) {
	err = d.Call("flistxattr", func() (err error) {
		n, err = unix.Flistxattr(fd, buf)
		return err
	})
	return n, err
}

// Attr reads an extended attribute of an open file.
func (d DirCalls) Attr(fd int, name string, buf []byte) (n int, err error) {
	err = d.Call("fgetxattr", func() (err error) {
		n, err = unix.Fgetxattr(fd, name, buf)
		return err
	})
	return n, err
}

// SetAttr sets an extended attribute of an open file.
func (d DirCalls) SetAttr(fd int, name string, value []byte) error {
	return d.Call("fsetxattr", func() error { return unix.Fsetxattr(fd, name, value, 0) })
}

// RemoveAttr removes an extended attribute of an open file.
func (d DirCalls) RemoveAttr(fd int, name string) error {
	return d.Call("fremovexattr", func() error { return unix.Fremovexattr(fd, name) })
}

// IsOwn reports whether an open file is this user's, a regular one under one
// name, and nobody else has rights to it.
func (d DirCalls) IsOwn(_ int, st RawStat) bool {
	return int(st.Uid) == os.Geteuid() && st.Mode&0o077 == 0 && st.Nlink == 1 && st.Mode&unix.S_IFMT == unix.S_IFREG
}
