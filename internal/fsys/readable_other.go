//go:build !linux && !darwin

package fsys

// Readable tells whether bytes wait to be read from an open descriptor, which
// it cannot here.
func Readable(uintptr) bool { return false }

// HungUp tells whether the other end of an open socket is gone, which it cannot
// here.
func HungUp(uintptr) bool { return false }
