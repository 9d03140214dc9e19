package session

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// TestNoDescriptorForSessions is not parallel: while this process has no
// descriptor left it does not take sessions for gone, nor later.
func TestNoDescriptorForSessions(t *testing.T) {
	folder, _ := serveHere(t)
	r := testRouter(t, folder)
	for _, spare := range []int{0, 1, 2, 3} {
		fresh := testRouter(t, folder)
		if err := os.WriteFile(folder+"/news", nil, 0o600); err != nil { // so that the folder is read
			t.Fatal(err)
		}
		known := len(r.Peers())
		if err := os.Remove(folder + "/news"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * stableAfter) // so that the folder would not be read again
		withDescriptors(t, spare, func() {
			fresh.Peers()
			if n := len(r.Peers()); n != known {
				t.Errorf("with %d descriptors %d sessions of %d are known", spare, n, known)
			}
		})
		if n, m := len(r.Peers()), len(fresh.Peers()); n != 1 || m != 1 {
			t.Errorf("after %d descriptors %d and %d sessions are found", spare, n, m)
		}
	}
}

// withDescriptors runs f while the process can open so many more files.
func withDescriptors(t *testing.T, spare int, f func()) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	free, err := syscall.Dup(0) // all below it are taken
	if err != nil {
		t.Fatal(err)
	}
	syscall.Close(free)
	low := limit
	low.Cur = uint64(free + spare)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit) }()
	f()
}
