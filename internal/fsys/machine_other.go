//go:build !linux && !darwin

package fsys

// machine returns nothing: folders for sessions are not shared there.
func machine() (id, boot string) { return "", "" }
