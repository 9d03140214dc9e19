//go:build unix

package jsonrpc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/rpc/stdio"
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
	r, w, _ := stdio.Open(in, out)
	ctx, cancel := context.WithCancelCause(t.Context())
	writing, log := make(chan struct{}), new(lockedBuffer)
	d := NewConn(map[string]Route{
		"initialize": Inline(constant("1")),
		"big": always(func(context.Context, *Caller, RawMessage) (any, error) {
			close(writing)
			return RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`), nil
		}),
	}, testCodec{}, slog.New(slog.NewTextHandler(log, nil)))
	done := make(chan error)
	go func() { done <- d.Serve(ctx, r, w) }()
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
