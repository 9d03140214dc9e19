package disktest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// Swapper exchanges two names over and over, and has done so once, until it is
// stopped.
func Swapper(t *testing.T, a, b string) (stop func() (exchanges int64)) {
	t.Helper()
	var done atomic.Bool
	var count atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
				t.Errorf("exchange: %v", err)
				return
			}
			count.Add(1)
		}
	})
	for count.Load() == 0 && !t.Failed() {
		runtime.Gosched()
	}
	return func() int64 {
		done.Store(true)
		wg.Wait()
		return count.Load()
	}
}
