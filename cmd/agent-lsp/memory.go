package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// startGC is how much garbage, in percent of what is in use, may come together
// before the first answer: about 32 MB. A start makes some of it on the way to
// what it keeps, and collecting that would take a third of its time.
const startGC = 800

// collectLate puts the first collection of garbage off until the function that
// it returns is called, or that much garbage is there. What the person sets in
// GOGC is kept.
func collectLate() (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(startGC)
	end = sync.OnceFunc(func() {
		debug.SetGCPercent(before)
		debug.FreeOSMemory() // what a start left behind shall not stay for good
	})
	type sentinel struct{ _ [64]byte }
	runtime.AddCleanup(new(sentinel), func(end func()) { end() }, end)
	return end
}
