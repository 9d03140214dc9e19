//go:build linux && (amd64 || arm64)

package workspace

import (
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fstatat is [unix.Fstatat], which makes a copy of each name on the heap: here
// thousands are asked for in a row.
func fstatat(dir int, name string, st *unix.Stat_t, flags int) error {
	var path [256]byte // the longest name that Linux has, and its end
	if len(name) >= len(path) || strings.IndexByte(name, 0) >= 0 {
		return unix.Fstatat(dir, name, st, flags)
	}
	copy(path[:], name)
	_, _, errno := syscall.Syscall6(sysFstatat, uintptr(dir), uintptr(unsafe.Pointer(&path)), uintptr(unsafe.Pointer(st)), uintptr(flags), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
