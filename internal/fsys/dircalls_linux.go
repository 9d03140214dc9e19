package fsys

import "golang.org/x/sys/unix"

// ExchangeNames exchanges what two names in a directory stand for, in one step.
func ExchangeNames(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

func renameNew(dir int, from string, toDir int, to string) error {
	return unix.Renameat2(dir, from, toDir, to, unix.RENAME_NOREPLACE)
}

func flush(fd int) error { return unix.Fsync(fd) }

// WatchWriters takes a read lease on fd, which must be open for reading only.
// While it holds, no program has the file open for writing: EAGAIN says that
// one had, and one that comes later waits until fd is closed. Any other error
// means that the lease is not to be had here (file system, another owner). The
// descriptor that watches is fd itself; on Windows it is another one.
func (d DirCalls) WatchWriters(fd int) (watching int, err error) {
	return fd, d.Call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
		return err
	})
}

// Unwatch gives a lease up.
func (d DirCalls) Unwatch(fd int) error {
	return d.Call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK)
		return err
	})
}

// WriterWaits reports whether a program wants to open the leased file for
// writing. It can only have found the file under a former name.
func (d DirCalls) WriterWaits(fd int) (waits bool, err error) {
	err = d.Call("lease state", func() error {
		state, err := unix.FcntlInt(uintptr(fd), unix.F_GETLEASE, 0)
		waits = state != unix.F_RDLCK
		return err
	})
	return waits, err
}

// KeepOthersOut lets every other program that opens the file wait until fd is
// closed, unless one has it open already.
func (d DirCalls) KeepOthersOut(fd int) {
	_ = d.Call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_WRLCK)
		return err
	})
}
