package fsys

import (
	"bytes"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// DescriptorPath returns the absolute path, without links and in the disk's
// own spelling, of an open file. Of a file with several hard links the kernel
// may name another one; there the path as opened is resolved and compared.
func DescriptorPath(f *os.File, opened string) (string, error) {
	if st, err := StatFile(f); err == nil && !st.Mode.IsDir() && st.Links > 1 {
		return resolvedPath(f, opened)
	}
	var buf [unix.PathMax]byte
	// F_GETPATH takes a buffer where locks take their description; this call
	// is the one that passes a pointer.
	err := unix.FcntlFlock(f.Fd(), unix.F_GETPATH, reinterpret.As[unix.Flock_t](buf[:]))
	runtime.KeepAlive(f)
	if err != nil {
		return "", &fs.PathError{Op: "fcntl", Path: opened, Err: err}
	}
	end := bytes.IndexByte(buf[:], 0)
	if end <= 0 {
		return "", &fs.PathError{Op: "fcntl", Path: opened, Err: unix.ENOENT}
	}
	return string(buf[:end]), nil
}
