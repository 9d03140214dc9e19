package workspace

import (
	"bytes"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// descriptorPath returns the absolute path, without links and in the disk's
// own spelling, of an open file. Of a file with several hard links the kernel
// may name another one; there the path as opened is resolved and compared.
func descriptorPath(f *os.File, opened string) (string, error) {
	if st, err := identify(f); err == nil && !st.mode.IsDir() && st.links > 1 {
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
