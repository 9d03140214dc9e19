package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"
)

// Answers that are owed when the input ends are still written.
func TestAnswersAfterTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, map[string]Route{"slow": always(func(context.Context, *Caller, RawMessage) (any, error) {
			time.Sleep(2 * time.Second)
			return RawMessage("1"), nil
		})}).start()
		s.send(callOf(1, "slow"), `[`+callOf(2, "slow")+`,`+callOf(3, "slow")+`]`)
		if err := s.in.Close(); err != nil {
			t.Fatal(err)
		}
		s.want("1: 1", "2: 1", "3: 1")
		if err := s.wait(); err != nil {
			t.Error(err)
		}
	})
}

// Calls that take too long after the input ended are stopped, and one that
// does not stop is left behind.
func TestEndDoesNotWaitForever(t *testing.T) {
	for _, tt := range []struct {
		name string
		slow Handler
		want time.Duration
	}{
		{"stops", untilCancelled, defaultStreamConfig().drainTimeout},
		{"does not stop", func(context.Context, *Caller, RawMessage) (any, error) {
			time.Sleep(time.Hour)
			return nil, nil
		}, defaultStreamConfig().drainTimeout + stopTimeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := connect(t, map[string]Route{"slow": always(tt.slow)}).start()
				s.send(callOf(1, "slow"))
				start := time.Now()
				err := s.end()
				if waited := time.Since(start); err != nil || waited != tt.want {
					t.Errorf("after %v: %v", waited, err)
				}
				time.Sleep(time.Hour) // what was left behind returns
			})
		})
	}
}

func TestInputCut(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{"good": Inline(constant("1"))}).start()
	if _, err := io.WriteString(s.in, "Content-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	if err := s.end(); err != io.ErrUnexpectedEOF {
		t.Errorf("serve returned %v", err)
	}
	if !strings.Contains(s.log.String(), "unexpected EOF") {
		t.Errorf("logged: %s", s.log.String())
	}
}

func TestFramingLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, nil).start()
	if _, err := io.WriteString(s.in, "Content-Length: -1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	s.want("null: -32700")
	if err := s.wait(); !errors.Is(err, errFraming) {
		t.Errorf("serve returned %v", err)
	}
	if !strings.Contains(s.log.String(), "Content-Length") {
		t.Errorf("logged: %s", s.log.String())
	}
}

// The end of its context ends the connection and the calls that run.
func TestContextEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	running := make(chan struct{})
	d := NewConn(map[string]Route{
		"initialize": Inline(constant("1")),
		"wait": always(func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
			close(running)
			return untilCancelled(ctx, nil, nil)
		}),
	}, testCodec{}, slog.New(slog.DiscardHandler))
	done := make(chan error)
	go func() { done <- d.Serve(ctx, in, out) }()
	go func() { _, _ = io.Copy(io.Discard, fromServer) }()
	if _, err := io.WriteString(toServer, frame(callOf(1, "initialize"))+frame(callOf(2, "wait"))); err != nil {
		t.Fatal(err)
	}
	<-running
	stopped := errors.New("stopped")
	cancel(stopped)
	if err := <-done; err != stopped {
		t.Errorf("serve returned %v", err)
	}
}

// stuck is a file whose Read returns only when it is released: Close does not
// interrupt it, as on a blocking standard input.
type stuck struct {
	io.Reader
	release chan struct{}
}

func (s *stuck) Read(p []byte) (int, error) {
	if n, err := s.Reader.Read(p); n > 0 || err != io.EOF {
		return n, err
	}
	<-s.release
	return 0, io.EOF
}

func (s *stuck) Close() error { return nil }

// stuckWriter is the same for Write.
type stuckWriter struct{ release chan struct{} }

func (s *stuckWriter) Write([]byte) (int, error) {
	<-s.release
	return 0, io.ErrClosedPipe
}

func (s *stuckWriter) Close() error { return nil }

// A read or write that the system does not let go of does not keep the
// process from ending.
func TestStuckFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &stuck{strings.NewReader(frame(callOf(1, "initialize"))), make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		d := NewConn(map[string]Route{"initialize": Inline(constant("1"))}, testCodec{}, slog.New(slog.DiscardHandler))
		done := make(chan error)
		go func() { done <- d.Serve(ctx, in, new(sink)) }()
		synctest.Wait()
		start := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || time.Since(start) != stopTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		close(in.release)
	})
}

// exit is acted on at once: the next read is not begun.
func TestExitDoesNotReadOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		input := frame(callOf(1, "initialize")) + frame(callOf(2, "shutdown")) + frame(notificationOf("exit"))
		in := &stuck{strings.NewReader(input), make(chan struct{})}
		out := new(sink)
		d := NewConn(map[string]Route{"initialize": Inline(constant("1"))}, testCodec{}, slog.New(slog.DiscardHandler))
		start := time.Now()
		if err := d.Serve(t.Context(), in, out); err != nil || time.Since(start) > 0 {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if got := answers(t, out.String()); len(got) != 2 {
			t.Errorf("answered %q", out.String())
		}
		close(in.release)
	})
}

// A client that stops reading loses the connection; meanwhile no call is
// begun whose answer would only wait.
func TestClientStopsReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		var begun atomic.Int32
		raw := RawMessage(`"` + strings.Repeat("x", maxQueuedBytes/4) + `"`)
		d := NewConn(map[string]Route{
			"initialize": Inline(constant("1")),
			"big": always(func(context.Context, *Caller, RawMessage) (any, error) {
				begun.Add(1)
				return raw, nil
			}),
		}, testCodec{}, slog.New(slog.DiscardHandler))
		done := make(chan error)
		go func() { done <- d.Serve(t.Context(), in, out) }()
		r := bufio.NewReader(fromServer)
		if _, err := io.WriteString(toServer, frame(callOf(0, "initialize"))); err != nil {
			t.Fatal(err)
		}
		if _, err := readFrame(r); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for i := range 100 {
			if _, err := io.WriteString(toServer, frame(callOf(i, "big"))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if n := begun.Load(); n > 5 {
			t.Errorf("%d answers were made that nobody reads", n)
		}
		if err := <-done; err != errWriteTimeout || time.Since(start) != defaultStreamConfig().writeTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		_ = fromServer.Close()
	})
}

// Small answers that nobody reads do not pile up either.
func TestUnreadSmallAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, toServer := io.Pipe()
		_, out := io.Pipe()
		var begun atomic.Int32
		d := NewConn(map[string]Route{
			"call": always(func(context.Context, *Caller, RawMessage) (any, error) {
				begun.Add(1)
				return nil, nil
			}),
		}, testCodec{}, slog.New(slog.DiscardHandler))
		d.life.phase.Store(phaseRunning)
		done := make(chan error)
		go func() { done <- d.Serve(t.Context(), in, out) }()
		for i := 0; ; i++ {
			if _, err := io.WriteString(toServer, frame(callOf(i, "call"))); err != nil {
				break
			}
		}
		if n := begun.Load(); n > maxAccepted {
			t.Errorf("%d calls were begun", n)
		}
		if err := <-done; err != errWriteTimeout {
			t.Errorf("serve returned %v", err)
		}
	})
}

// A slow client is not one that has stopped.
func TestSlowClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pipe, out := io.Pipe()
		s := newStream(io.NopCloser(strings.NewReader("")), out, defaultStreamConfig(), slog.New(slog.DiscardHandler))
		written := make(chan error)
		go func() {
			_, err := s.Write(t.Context(), jsonrpc2.NewNotification("m", RawMessage(`"`+strings.Repeat("x", 3*writeBlock)+`"`)))
			written <- err
			_ = s.Close()
		}()
		go func() {
			buf := make([]byte, writeBlock)
			for {
				time.Sleep(s.conf.writeTimeout - time.Second)
				if _, err := io.ReadFull(pipe, buf); err != nil {
					return
				}
			}
		}()
		if err := <-written; err != nil {
			t.Error(err)
		}
	})
}

// The write timeout runs during writes only.
func TestIdleConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, map[string]Route{"good": Inline(constant("1"))}).start()
		time.Sleep(24 * time.Hour)
		s.send(callOf(1, "good"))
		s.want("1: 1")
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}

// What waits behind a message that nobody reads is given up with it.
func TestWritersBehindAStuckOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &stuckWriter{release: make(chan struct{})}
		s := newStream(io.NopCloser(strings.NewReader("")), out, defaultStreamConfig(), slog.New(slog.DiscardHandler))
		failed := make(chan error, 3)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		answer := func() error {
			_, err := s.Write(t.Context(), jsonrpc2.NewResponse(jsonrpc2.NewNumberID(1), RawMessage("1"), nil))
			return err
		}
		ours := func() error { return s.sendRequest(ctx, jsonrpc2.NewNotification("m", nil)) }
		for _, write := range []func() error{answer, answer, ours} {
			go func() { failed <- write() }()
			synctest.Wait()
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a message of ours with a timeout: %v", err)
		}
		if err := <-failed; err != errWriteTimeout {
			t.Errorf("an answer behind the stuck one: %v", err)
		}
		close(out.release)
		if err := <-failed; err != errWriteTimeout {
			t.Errorf("the stuck answer: %v", err)
		}
		if !s.queued.reached(0) {
			t.Error("bytes are still queued")
		}
	})
}

func TestClientIsGone(t *testing.T) {
	defer goleak.VerifyNone(t)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	_ = fromServer.Close()
	d := NewConn(map[string]Route{"initialize": Inline(constant("1"))}, testCodec{}, slog.New(slog.DiscardHandler))
	done := make(chan error)
	go func() { done <- d.Serve(t.Context(), in, out) }()
	if _, err := io.WriteString(toServer, frame(callOf(0, "initialize"))); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("serve returned %v", err)
	}
}
