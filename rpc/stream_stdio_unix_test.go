//go:build unix

package rpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"
)

// Over pipes of the system everything ends as well, also while a read waits
// and while a write does.
func TestSystemPipes(t *testing.T) {
	defer goleak.VerifyNone(t)
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
	defer fromServer.Close()
	for _, f := range []*os.File{in, out} {
		if err := syscall.SetNonblock(int(f.Fd()), false); err != nil {
			t.Fatal(err)
		}
	}
	r, w, _ := Stdio(in, out)
	ctx, cancel := context.WithCancelCause(t.Context())
	writing, log := make(chan struct{}), new(lockedBuffer)
	d := newDispatcher(map[string]route{
		"initialize": {inlineCall, constant("1")},
		"big": {asyncCall, func(context.Context, jsonrpc2.RawMessage) (any, error) {
			close(writing)
			return jsonrpc2.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`), nil
		}},
	}, nil, slog.New(slog.NewTextHandler(log, nil)))
	done := make(chan error)
	go func() { done <- d.serve(ctx, r, w) }()
	if _, err := io.WriteString(toServer, frame(callOf(0, "initialize"))+frame(callOf(1, "big"))); err != nil {
		t.Fatal(err)
	}
	if _, err := fromServer.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	<-writing
	stopped := errors.New("stopped")
	cancel(stopped)
	if err := <-done; err != stopped {
		t.Errorf("serve returned %v", err)
	}
	if strings.Contains(log.String(), "does not return") {
		t.Error("a read or write was not interrupted")
	}
	for _, f := range []*os.File{in, out} {
		if nonblocking(t, f) {
			t.Error("a pipe is left in another mode than it had")
		}
	}
}

// TestStdioCarriesAll: what is larger than a pipe arrives whole, and what the
// other end does is told.
func TestStdioCarriesAll(t *testing.T) {
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
	r, w, _ := Stdio(in, out)
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
