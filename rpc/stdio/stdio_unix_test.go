//go:build unix

package stdio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestOpenCarriesAll: what is larger than a pipe arrives whole, and what the
// other end does is told.
func TestOpenCarriesAll(t *testing.T) {
	in, toServer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromServer, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	defer toServer.Close()
	r, w, _ := Open(in, out)
	want := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	var work sync.WaitGroup
	work.Go(func() {
		if n, err := w.Write(want); n != len(want) || err != nil {
			t.Errorf("%d bytes are written, %v", n, err)
		}
	})
	work.Go(func() {
		if _, err := toServer.Write(want); err != nil {
			t.Error(err)
		}
		toServer.Close()
	})
	work.Go(func() {
		got := make([]byte, len(want))
		if _, err := io.ReadFull(fromServer, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("something else is written, %v", err)
		}
	})
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
		t.Errorf("something else is read, %v", err)
	}
	work.Wait()
	fromServer.Close()
	if n, err := w.Write(want); n != 0 || !errors.Is(err, syscall.EPIPE) || !strings.Contains(err.Error(), "write |1") {
		t.Errorf("to nobody: %d, %v", n, err)
	}
	w.Close()
	r.Close()
	if n, err := w.Write(want); n != 0 || err == nil {
		t.Errorf("after the end: %d, %v", n, err)
	}
	if n, err := r.Read(want); n != 0 || err == nil || err == io.EOF {
		t.Errorf("after the end: %d, %v", n, err)
	}
}

func nonblocking(t *testing.T, f *os.File) bool {
	t.Helper()
	conn, err := f.SyscallConn() // Fd would change the mode
	if err != nil {
		t.Fatal(err)
	}
	var flags uintptr
	if err := conn.Control(func(fd uintptr) {
		flags, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	}); err != nil {
		t.Fatal(err)
	}
	return flags&syscall.O_NONBLOCK != 0
}
