package fsys

import "time"

// Caller makes one system call, do; what is its name. Tests put their own in
// its place to record the calls, to let one fail, to kill the process before
// one, or to let an editor save between two.
type Caller func(what string, do func() error) error

// PlainCall is the caller of production.
func PlainCall(_ string, do func() error) error { return retryInterrupted(do) }

// Names of the calls whose order matters.
const (
	CallOpen       = "open"
	CallWrite      = "write"
	CallSync       = "fsync"
	CallSyncFolder = "fsync folder"
	CallExchange   = "exchange"
	CallUnlink     = "unlink"
)

// How long a lock on a folder is waited for.
const (
	lockTries = 300
	lockPause = time.Millisecond
)
