package fsys

import (
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// DirCalls makes system calls in an open directory: by its handle and single
// names below it, so that no link that is exchanged for a part of a path can
// lead a call elsewhere. It does not own the handle. Errors are those of Unix;
// one that is EBUSY says that another program has the file open and does not
// share it, after it was tried again for a while.
type DirCalls struct {
	fd   windows.Handle
	Call Caller
}

// NewDirCalls returns the calls in dir, which has to stay open.
func NewDirCalls(dir *os.File, call Caller) DirCalls {
	return DirCalls{fd: windows.Handle(dir.Fd()), Call: call}
}

// Exchanges reports whether two names can change places in one step, which no
// call does here.
const Exchanges = false

// WatchingExcludes reports whether nobody can write to a file that
// [DirCalls.WatchWriters] watches.
const WatchingExcludes = true

// Open never follows a link, and never truncates. A new file of mode 0600 is
// this user's alone; others get what the folder hands down.
func (d DirCalls) Open(name string, flags int, mode uint32) (fd int, err error) {
	how := ntOpen{access: windows.FILE_GENERIC_READ, share: shareAll, create: windows.FILE_OPEN}
	if flags&(syscall.O_WRONLY|syscall.O_RDWR) != 0 {
		how.access |= windows.FILE_GENERIC_WRITE
	}
	if flags&syscall.O_CREAT != 0 {
		how.create, how.access = windows.FILE_CREATE, how.access|windows.WRITE_DAC
		if mode&0o077 == 0 {
			if how.security, err = forThisUser(); err != nil {
				return -1, err
			}
		}
	}
	h := windows.InvalidHandle
	err = d.Call(CallOpen, func() (err error) {
		h, err = how.at(d.fd, name)
		return err
	})
	if err == nil {
		err = noLink(h)
	}
	return int(h), err
}

// noLink closes a link, or a junction: ELOOP.
func noLink(h windows.Handle) error {
	if reparseTag(h)&nameSurrogate == 0 {
		return nil
	}
	windows.CloseHandle(h)
	return syscall.ELOOP
}

// Close closes what was opened.
func (d DirCalls) Close(fd int) {
	if fd > 0 {
		windows.CloseHandle(windows.Handle(fd))
	}
}

// Stat returns what the system says of an open file.
func (d DirCalls) Stat(fd int) (st RawStat, err error) {
	err = d.Call("fstat", func() (err error) {
		st, err = statHandle(windows.Handle(fd))
		return err
	})
	return st, err
}

// StatName does not follow a link.
func (d DirCalls) StatName(name string) (st RawStat, err error) {
	err = d.Call("fstatat", func() error {
		h, err := ntOpen{access: windows.FILE_READ_ATTRIBUTES, share: shareAll, create: windows.FILE_OPEN}.at(d.fd, name)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		st, err = statHandle(h)
		return err
	})
	return st, err
}

// Lock keeps other writers of this kind out of the folder until the function
// it returns is called. Waiting ends; the write then goes on without the lock.
//
// The lock is that a kernel object of the folder's name exists: it ends with the
// process that has it.
func (d DirCalls) Lock() (unlock func()) {
	st, err := d.Stat(int(d.fd))
	if err != nil {
		return func() {}
	}
	name, err := windows.UTF16PtrFromString(`Local\agent-lsp-folder-` + strconv.FormatUint(st.Dev, 16) + "-" + strconv.FormatUint(st.Ino, 16))
	if err != nil {
		return func() {}
	}
	var object windows.Handle
	for range lockTries {
		err := d.Call("flock", func() (err error) {
			object, err = windows.CreateEvent(nil, 0, 0, name)
			if errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
				windows.CloseHandle(object)
				object, err = 0, syscall.EWOULDBLOCK
			}
			return err
		})
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		_ = d.Call("pause", func() error { time.Sleep(lockPause); return nil })
	}
	return func() {
		if object != 0 {
			windows.CloseHandle(object)
		}
	}
}

// TryLock takes the lock of an open file; EWOULDBLOCK when another process has
// it.
func (d DirCalls) TryLock(fd int) error {
	return d.Call("flock", func() error {
		ok, err := lockHandle(windows.Handle(fd), false)
		if err == nil && !ok {
			err = syscall.EWOULDBLOCK
		}
		return err
	})
}

// Access reports whether this process may write to the file.
func (d DirCalls) Access(name string) error {
	err := d.Call("faccessat", func() error {
		h, err := ntOpen{access: windows.FILE_WRITE_DATA, share: shareAll, create: windows.FILE_OPEN}.at(d.fd, name)
		if err == nil {
			windows.CloseHandle(h)
		}
		return err
	})
	if errors.Is(err, syscall.EBUSY) { // it may, once nobody holds it
		return nil
	}
	return err
}

// Read fills b from offset at on; io.EOF when there was less.
func (d DirCalls) Read(fd int, b []byte, at int64) (n int, err error) {
	for n < len(b) {
		var m uint32
		err = d.Call("read", func() error {
			err := windows.ReadFile(windows.Handle(fd), b[n:], &m, overlapped(at+int64(n)))
			switch {
			case errors.Is(err, windows.ERROR_HANDLE_EOF):
				return nil
			case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
				return held{}
			}
			return err
		})
		if err != nil {
			return n, err
		}
		if m == 0 {
			return n, io.EOF
		}
		n += int(m)
	}
	return n, nil
}

func overlapped(at int64) *windows.Overlapped {
	return &windows.Overlapped{Offset: uint32(at), OffsetHigh: uint32(at >> 32)}
}

// Write puts all of b at the file's beginning, in as few calls as the system
// allows, and does not cut off what stands behind it.
func (d DirCalls) Write(fd int, b []byte) error { return d.WriteAt(fd, b, 0) }

// WriteAt writes all of b from offset on.
func (d DirCalls) WriteAt(fd int, b []byte, offset int64) error {
	const most = 1 << 30 // bytes of one call
	for at := 0; at < len(b); {
		err := d.Call(CallWrite, func() error {
			var n uint32
			err := windows.WriteFile(windows.Handle(fd), b[at:min(at+most, len(b))], &n, overlapped(offset+int64(at)))
			at += int(n)
			return winError(err)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// winError returns the Unix name of an error of the Win32 layer that the
// packages above tell apart.
func winError(err error) error {
	switch {
	case errors.Is(err, windows.ERROR_DISK_FULL), errors.Is(err, windows.ERROR_HANDLE_DISK_FULL):
		return syscall.ENOSPC
	case errors.Is(err, windows.ERROR_WRITE_PROTECT):
		return syscall.EROFS
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_USER_MAPPED_FILE):
		return held{}
	case errors.Is(err, windows.ERROR_ACCESS_DENIED):
		return syscall.EACCES
	}
	return err
}

// Truncate sets the size of an open file, in bytes.
func (d DirCalls) Truncate(fd int, size int64) error {
	return d.Call("ftruncate", func() error { return winError(windows.Ftruncate(windows.Handle(fd), size)) })
}

// Sync flushes an open file to the medium.
func (d DirCalls) Sync(fd int) error {
	return d.Call(CallSync, func() error { return winError(windows.FlushFileBuffers(windows.Handle(fd))) })
}

// SyncFolder flushes the directory to the medium, where the system does that:
// NTFS writes changes of names down in its own journal, in their order.
func (d DirCalls) SyncFolder() error {
	return d.Call(CallSyncFolder, func() error {
		h, err := ntOpen{access: windows.FILE_GENERIC_WRITE, share: shareAll, create: windows.FILE_OPEN, options: windows.FILE_DIRECTORY_FILE}.at(d.fd, "")
		if err != nil {
			return nil //nolint:nilerr // who may not write to the folder has changed nothing in it, or need not flush it
		}
		defer windows.CloseHandle(h)
		_ = windows.FlushFileBuffers(h)
		return nil
	})
}

// Exchange fails: nothing here does that in one step.
func (d DirCalls) Exchange(string, string) error {
	return d.Call(CallExchange, func() error { return syscall.ENOTSUP })
}

// Rename replaces what stands at to.
func (d DirCalls) Rename(from, to string) error {
	return d.Call("rename", func() error { return d.rename(from, d, to, true) })
}

// RenameNew fails with EEXIST when anything stands at to in the folder in.
func (d DirCalls) RenameNew(from string, in DirCalls, to string) error {
	return d.Call("rename new", func() error { return d.rename(from, in, to, false) })
}

func (d DirCalls) rename(from string, in DirCalls, to string, replace bool) error {
	h, err := d.toRemove(from, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return patiently(func() error { return ntRename(h, in.fd, to, replace) })
}

// toRemove opens a name so that it can be taken away.
func (d DirCalls) toRemove(name string, options uint32) (windows.Handle, error) {
	return ntOpen{access: windows.DELETE | windows.FILE_READ_ATTRIBUTES, share: shareAll, create: windows.FILE_OPEN, options: options}.at(d.fd, name)
}

// Link fails: nothing needs it where names can be given that must be free.
func (d DirCalls) Link(string, DirCalls, string) error {
	return d.Call("link", func() error { return syscall.ENOTSUP })
}

// MakeFolder gives it the rights that the folder hands down.
func (d DirCalls) MakeFolder(name string) error {
	return d.Call("mkdir", func() error {
		h, err := ntOpen{access: windows.FILE_READ_ATTRIBUTES, share: shareAll, create: windows.FILE_CREATE, options: windows.FILE_DIRECTORY_FILE}.at(d.fd, name)
		if err == nil {
			windows.CloseHandle(h)
		}
		return err
	})
}

// OpenFolder follows no link. The caller closes the folder.
func (d DirCalls) OpenFolder(name string) (*os.File, error) {
	h := windows.InvalidHandle
	err := d.Call(CallOpen, func() (err error) {
		h, err = ntOpen{access: windows.FILE_GENERIC_READ, share: shareAll, create: windows.FILE_OPEN, options: windows.FILE_DIRECTORY_FILE}.at(d.fd, name)
		return err
	})
	if err == nil {
		err = noLink(h)
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), name), nil
}

// RemoveFolder removes an empty folder.
func (d DirCalls) RemoveFolder(name string) error {
	return d.Call("rmdir", func() error { return d.remove(name, windows.FILE_DIRECTORY_FILE) })
}

// Unlink removes a name that stands for no folder.
func (d DirCalls) Unlink(name string) error {
	return d.Call(CallUnlink, func() error { return d.remove(name, windows.FILE_NON_DIRECTORY_FILE) })
}

func (d DirCalls) remove(name string, options uint32) error {
	h, err := d.toRemove(name, options)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return patiently(func() error { return ntRemove(h) })
}

// Chmod sets whether an open file is write-protected: the other bits of a mode
// are not there.
func (d DirCalls) Chmod(int, uint32) error {
	return d.Call("fchmod", func() error { return syscall.ENOTSUP })
}

// WatchWriters keeps writers away from the file that fd has open for reading, and
// returns the descriptor in whose place it does that until it is closed. EAGAIN
// says that a program has the file open for writing.
func (d DirCalls) WatchWriters(fd int) (int, error) {
	watching := windows.InvalidHandle
	err := d.Call("lease", func() (err error) {
		watching, err = ntOpen{access: windows.FILE_GENERIC_READ, share: shareReaders, create: windows.FILE_OPEN}.at(windows.Handle(fd), "")
		if errors.Is(err, syscall.EBUSY) {
			err = syscall.EAGAIN
		}
		return err
	})
	if err != nil {
		return fd, err
	}
	d.Close(fd)
	return int(watching), nil
}

// Unwatch does nothing: who wants to write does not wait, but is refused.
func (d DirCalls) Unwatch(int) error { return nil }

// WriterWaits reports false.
func (d DirCalls) WriterWaits(int) (bool, error) { return false, nil }

// KeepOthersOut keeps every other program from reading and writing the file
// until fd is closed.
func (d DirCalls) KeepOthersOut(fd int) {
	_ = d.Call("lease", func() error {
		return windows.LockFileEx(windows.Handle(fd), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1<<32-1, 1<<30-1, new(windows.Overlapped))
	})
}
