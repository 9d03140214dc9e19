package workspace

import "golang.org/x/sys/unix"

func exchangeNames(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

func renameNew(dir int, from string, toDir int, to string) error {
	return unix.Renameat2(dir, from, toDir, to, unix.RENAME_NOREPLACE)
}

func flush(fd int) error { return unix.Fsync(fd) }

// watchWriters takes a read lease on fd, which must be open for reading only.
// While it holds, no program has the file open for writing: EAGAIN says that
// one had, and one that comes later waits until fd is closed. Any other error
// means that the lease is not to be had here (file system, another owner).
func (d dirCalls) watchWriters(fd int) error {
	return d.call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
		return err
	})
}

// unwatch gives a lease up.
func (d dirCalls) unwatch(fd int) error {
	return d.call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK)
		return err
	})
}

// writerWaits tells whether a program wants to open the leased file for
// writing. It can only have found the file under a former name.
func (d dirCalls) writerWaits(fd int) (waits bool, err error) {
	err = d.call("lease state", func() error {
		state, err := unix.FcntlInt(uintptr(fd), unix.F_GETLEASE, 0)
		waits = state != unix.F_RDLCK
		return err
	})
	return waits, err
}

// keepOthersOut lets every other program that opens the file wait until fd is
// closed, unless one has it open already.
func (d dirCalls) keepOthersOut(fd int) {
	_ = d.call("lease", func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_WRLCK)
		return err
	})
}
