//go:build !unix

package rpc

// processAlive cannot tell here; the end of the input has to do.
func processAlive(int) bool { return true }
