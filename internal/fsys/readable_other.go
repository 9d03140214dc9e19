//go:build !linux && !darwin

package fsys

// Readable reports whether bytes wait to be read from an open descriptor, which
// it cannot here.
func Readable(uintptr) bool { return false }

// HungUp reports whether the other end of an open socket is gone, which it cannot
// here.
func HungUp(uintptr) bool { return false }
