package fsys

import "golang.org/x/sys/unix"

// ExchangeNames exchanges what two names in a directory stand for, in one step.
func ExchangeNames(dir int, a, b string) error {
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

// WatchWriters always fails: there are no leases here. A program that opened
// the file before the exchange and first writes to it after the unlink is not
// noticed; one that wrote before the unlink is.
func (d DirCalls) WatchWriters(fd int) (watching int, err error) { return fd, unix.ENOTSUP }

// Unwatch always fails: there are no leases here.
func (d DirCalls) Unwatch(int) error { return unix.ENOTSUP }

// WriterWaits always fails: there are no leases here.
func (d DirCalls) WriterWaits(int) (bool, error) { return false, unix.ENOTSUP }

// KeepOthersOut does nothing: there are no leases here.
func (d DirCalls) KeepOthersOut(int) {}
