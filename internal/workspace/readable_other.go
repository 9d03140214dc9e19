//go:build !linux && !darwin

package workspace

// Readable tells whether bytes wait to be read from an open descriptor, which
// it cannot here.
func Readable(uintptr) bool { return false }
