package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"
)

// ask is a call that asks the client in turn, and answers with what it got.
func ask(timeout time.Duration) Handler {
	return func(ctx context.Context, caller *Caller, params RawMessage) (any, error) {
		var result string
		err := caller.Call(ctx, timeout, "client/ask", params, &result)
		var wire *jsonrpc2.Error
		switch {
		case errors.As(err, &wire):
			return fmt.Sprintf("client's error %d", wire.Code), nil
		case errors.Is(err, context.DeadlineExceeded):
			return "timeout", nil
		case errors.Is(err, ErrNoClient):
			return "no client", nil
		case errors.Is(err, errInline):
			return "inline", nil
		case err != nil:
			return nil, err
		}
		return "client said " + result, nil
	}
}

func TestCallClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{
		"ask":    always(ask(time.Hour)),
		"inline": Inline(ask(time.Hour)),
	}).start()
	large := `"` + strings.Repeat("x", 100_000) + `"`
	for i, tt := range []struct{ answer, want string }{
		{`"result":"yes"`, `"client said yes"`},
		{`"result":"ä\n"`, `"client said ä\n"`},
		{`"result":null`, `"client said "`},
		{`"result":` + large, `"client said ` + large[1:]},
		{`"result":1`, `-32603`},
		{`"error":{"code":-32801,"message":"no"}`, `"client's error -32801"`},
		{`"error":7`, `"client's error -32600"`},
		{`"result":"yes","error":null`, `"client said yes"`},
	} {
		s.send(callOf("a", "ask"))
		if got := <-s.got; got.Method != "client/ask" || string(got.Params) != "{}" || string(got.ID) != fmt.Sprint(i+1) {
			t.Fatalf("the client got %s", got.brief())
		}
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i+1, tt.answer))
		s.want(`"a": ` + tt.want)
	}
	s.send(callOf("a", "inline"))
	s.want(`"a": "inline"`)
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if err := s.d.Caller().Call(t.Context(), 0, "client/ask", nil, nil); !errors.Is(err, ErrNoClient) {
		t.Errorf("a call after the end: %v", err)
	}
	if err := s.d.Caller().Notify(t.Context(), "client/note", nil); err == nil {
		t.Error("a notification after the end is no error")
	}
}

func TestNotifyClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	tell := func(ctx context.Context, caller *Caller, params RawMessage) (any, error) {
		return nil, caller.Notify(ctx, "client/note", params)
	}
	s := connect(t, map[string]Route{"inline": Inline(tell), "async": always(tell), "note": Notification(tell)}).start()
	s.send(callOf(1, "inline"))
	s.want("client/note {}")
	s.want("1: null")
	s.send(callOf(2, "async"))
	s.want("client/note {}")
	s.want("2: null")
	s.send(notificationOf("note"))
	s.want("client/note {}")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestClientNotThere(t *testing.T) {
	d := NewConn(nil, testCodec{}, nil)
	if err := d.Caller().Call(t.Context(), 0, "m", nil, nil); !errors.Is(err, ErrNoClient) {
		t.Error(err)
	}
	if err := d.Caller().Notify(t.Context(), "m", nil); !errors.Is(err, ErrNoClient) {
		t.Error(err)
	}
}

// A client that does not answer is told when nobody waits any more, and a
// late answer does no harm.
func TestCallClientTimeout(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{
		"ask":  always(ask(time.Millisecond)),
		"wait": always(ask(0)),
	}).start()
	s.send(callOf("a", "ask"))
	s.want("client/ask {}")
	s.want(`$/cancelRequest {"id":1}`)
	s.want(`"a": "timeout"`)
	s.send(`{"jsonrpc":"2.0","id":1,"result":"late"}`, callOf("b", "wait"))
	s.want("client/ask {}")
	s.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"b"}}`)
	s.want(`$/cancelRequest {"id":2}`)
	s.want(`"b": -32800`)
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// When the client's input ends, nobody waits for an answer in vain; what is
// owed is still written.
func TestCallClientAtTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{"ask": always(ask(time.Hour))}).start()
	s.send(callOf(1, "ask"))
	s.want("client/ask {}")
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	s.want(`1: "no client"`)
	if err := s.wait(); err != nil {
		t.Error(err)
	}
}

// A call from the background ends with the connection, also when the read
// that its answer would come from does not.
func TestCallClientFromTheBackground(t *testing.T) {
	defer goleak.VerifyNone(t)
	in := &stuck{strings.NewReader(frame(callOf(1, "initialize"))), make(chan struct{})}
	fromServer, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	d := NewConn(map[string]Route{"initialize": Inline(constant("1"))}, testCodec{}, slog.New(slog.DiscardHandler))
	d.stopTimeout = time.Millisecond
	done, called := make(chan error), make(chan error)
	go func() { done <- d.Serve(ctx, in, out) }()
	r := bufio.NewReader(fromServer)
	if _, err := readFrame(r); err != nil {
		t.Fatal(err)
	}
	go func() { called <- d.Caller().Call(t.Context(), 0, "client/ask", nil, nil) }()
	if _, err := readFrame(r); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-called; !errors.Is(err, ErrNoClient) {
		t.Errorf("the call returned %v", err)
	}
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("serve returned %v", err)
	}
	close(in.release)
}

// Calls that wait for a person do not keep others from running.
func TestWaitingCallsYield(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{
		"ask":   always(ask(time.Hour)),
		"quick": always(constant(`"quick"`)),
	}).start()
	const n = 3 * maxRunning
	for i := range n {
		s.send(callOf(i, "ask"))
		s.want("client/ask {}")
	}
	s.send(callOf("q", "quick"))
	s.want(`"q": "quick"`)
	for i := range n {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"yes"}`, i+1))
		s.want(fmt.Sprintf(`%d: "client said yes"`, i))
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if len(s.d.slots) != 0 {
		t.Errorf("%d slots are held for ever", len(s.d.slots))
	}
}

func TestSlot(t *testing.T) {
	all := make(chan struct{}, 1)
	s := &slot{all: all}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.take(t.Context()); err != nil || len(all) != 1 {
		t.Fatalf("%d tokens, %v", len(all), err)
	}
	s.pause()
	s.pause()
	if s.resume(t.Context()); len(all) != 0 {
		t.Error("a token was taken while one goroutine still waits")
	}
	if s.resume(t.Context()); len(all) != 1 {
		t.Error("no token was taken again")
	}
	s.pause()
	all <- struct{}{} // another call
	s.resume(ended)
	if s.held {
		t.Error("a token that belongs to another call was taken")
	}
	<-all
	s.pause()
	s.free()
	if s.resume(t.Context()); len(all) != 0 {
		t.Error("a token was taken by a call that has returned")
	}
}
