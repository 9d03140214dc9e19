//go:build !linux

package workspace

import "time"

// Modified returns a function, for any goroutine, that tells when the entries of
// a folder changed last, at an absolute path; zero with an error when it cannot
// be looked at.
func Modified(folder string) func() (time.Time, error) {
	return func() (time.Time, error) { return modified(folder) }
}
