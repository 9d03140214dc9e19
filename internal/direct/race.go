//go:build linux && race

package direct

import "sync/atomic"

// passed grows with every read and write.
var passed = new(atomic.Int64)

// ordered tells the race detector that what was done before something was
// written comes before what is done after something is read, as package syscall
// does for its own calls.
func ordered() { passed.Add(1) }
