package workspace

import "golang.org/x/sys/unix"

func exchangeNames(dir int, a, b string) error {
	return unix.RenameatxNp(dir, a, dir, b, unix.RENAME_SWAP)
}

func renameNew(dir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(dir, from, toDir, to, unix.RENAME_EXCL)
}

// flush reaches the medium: fsync alone stops at the drive's own cache.
func flush(fd int) error {
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_FULLFSYNC, 0); err == nil {
		return nil
	}
	return unix.Fsync(fd)
}

// watchWriters always fails: there are no leases here. A program that opened
// the file before the exchange and first writes to it after the unlink is not
// noticed; one that wrote before the unlink is.
func (d dirCalls) watchWriters(int) error { return unix.ENOTSUP }

func (d dirCalls) unwatch(int) error { return unix.ENOTSUP }

func (d dirCalls) writerWaits(int) (bool, error) { return false, unix.ENOTSUP }

func (d dirCalls) keepOthersOut(int) {}
