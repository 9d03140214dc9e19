package fsys

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// BarrierFile is a file without a name, in memory where that is possible. (A
// memfd would not do: the system does not tell of those.)
type BarrierFile struct {
	file *os.File
	Path string
}

// NewBarrierFile returns nil when there is none to be had.
func NewBarrierFile() *BarrierFile {
	for _, dir := range []string{"/dev/shm", "/tmp"} {
		fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		if err == nil {
			return &BarrierFile{os.NewFile(uintptr(fd), dir), "/proc/self/fd/" + strconv.Itoa(fd)}
		}
	}
	return nil
}

// Change changes the file, so that the system tells of it, and reports whether it did.
func (b *BarrierFile) Change() bool {
	_, err := b.file.WriteAt([]byte{0}, 0)
	return err == nil
}

// Close closes the file, which is gone then.
func (b *BarrierFile) Close() { b.file.Close() }
