//go:build !linux && !darwin

package workspace

// machine returns nothing: folders for sessions are not shared there.
func machine() (id, boot string) { return "", "" }
