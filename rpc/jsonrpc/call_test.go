package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/goleak"
)

// An asynchronous call sees what came before it, and nothing later.
func TestCapture(t *testing.T) {
	defer goleak.VerifyNone(t)
	count, captured := 0, 0
	gate, contexts := make(chan struct{}), make(chan context.Context, 100)
	s := connect(t, map[string]Route{
		"note": Notification(func(context.Context, *Caller, RawMessage) (any, error) { count++; return nil, nil }),
		"call": Async(func() Handler {
			captured++
			at := count
			return func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
				<-gate
				contexts <- ctx
				return at, nil
			}
		}),
	}).start()
	for i := range 50 {
		s.send(notificationOf("note"), callOf(i+1, "call"))
	}
	s.send(callOf(7, "call")) // the id is in use: refused before it captures
	s.want("7: -32600")
	close(gate)
	var want []string
	for i := range 50 {
		want = append(want, fmt.Sprintf("%d: %d", i+1, i+1))
	}
	s.want(want...)
	for range want {
		<-(<-contexts).Done() // nothing hangs on to a call that was answered
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if captured != 50 {
		t.Errorf("%d captured", captured)
	}
}

func TestCapturePanics(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{"call": Async(func() Handler { panic("capture") }), "good": Inline(constant("2"))}).start()
	s.send(callOf(1, "call"), callOf(2, "good"), callOf(1, "call"))
	s.want("1: -32603", "2: 2", "1: -32603")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	started := make(chan string, 10)
	release := make(chan struct{})
	s := connect(t, map[string]Route{
		"wait": always(func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
			started <- "wait"
			return untilCancelled(ctx, nil, nil)
		}),
		"other error": always(func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
			<-ctx.Done()
			return nil, errors.New("the file is gone")
		}),
		"too late": always(func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
			<-ctx.Done()
			return RawMessage(`"done"`), nil
		}),
		"quick": Inline(constant("1")),
		"stays": always(func(ctx context.Context, _ *Caller, _ RawMessage) (any, error) {
			<-release
			return RawMessage(`"stayed"`), ctx.Err()
		}),
	}).start()
	cancel := func(id string) { s.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`) }
	s.send(callOf(1, "wait"), callOf("1", "wait"), callOf("ä\n", "wait"))
	for range 3 {
		<-started
	}
	cancel("1")
	s.want("1: -32800")
	cancel(`"1"`)
	s.want(`"1": -32800`)
	cancel(`"\u00e4\n"`)
	s.want(`"ä\n": -32800`)

	s.send(callOf(2, "other error"), callOf(3, "too late"), callOf(4, "stays"))
	s.send(callOf("", "too late"))
	for _, none := range []string{"null", "1.5", "{}", "[]"} { // nobody's
		cancel(none)
	}
	s.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]}`, callOf("inline", "quick"))
	s.want(`"inline": 1`)
	if got := strings.Count(s.log.String(), "cancel request without a usable id"); got != 5 {
		t.Errorf("%d of 5 cancel requests are refused", got)
	}
	cancel(`""`)
	s.want(`"": "done"`)
	cancel("2")
	cancel("3")
	s.want("2: -32800", `3: "done"`)
	close(release)
	s.want(`4: "stayed"`)
	s.send(callOf(1, "wait")) // the id is free again, and not cancelled
	cancel("1")
	s.want("1: -32800")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// Calls that wait for their turn can be cancelled, and what is too much is
// refused.
func TestLimits(t *testing.T) {
	defer goleak.VerifyNone(t)
	release := make(chan struct{})
	ran := make(chan struct{}, maxAccepted)
	s := connect(t, map[string]Route{
		"wait": always(func(context.Context, *Caller, RawMessage) (any, error) {
			ran <- struct{}{}
			<-release
			return nil, nil
		}),
		"good": Inline(constant(`"good"`)),
	}, func(d *Conn) { d.roomTimeout = time.Millisecond }).start()
	for i := range maxAccepted {
		s.send(callOf(i, "wait"))
	}
	s.send(callOf("one more", "wait"), callOf("and more", "wait"))
	s.want(`"one more": -32803`, `"and more": -32803`)
	for range maxRunning {
		<-ran
	}
	s.send(callOf("x", "good"))
	s.want(`"x": "good"`)
	if len(ran) > 0 {
		t.Errorf("more than %d calls run", maxRunning)
	}
	want := make([]string, 0, maxAccepted)
	for i := range maxAccepted {
		want = append(want, fmt.Sprintf("%d: null", i))
	}
	close(release)
	s.want(want...)
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestCancelBeforeTheTurn(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]Route{"wait": always(untilCancelled)}).start()
	for i := range maxRunning + 10 {
		s.send(callOf(i, "wait"))
	}
	for i := range maxRunning + 10 {
		id := maxRunning + 9 - i
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, id))
		s.want(fmt.Sprintf("%d: -32800", id))
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestAcceptedBytes(t *testing.T) {
	d := NewConn(nil, testCodec{}, nil)
	d.roomTimeout = 0
	d.link.Store(&link{stream: newStream(new(sink), new(sink), testConfig(), nil)})
	add := func(id int64, bytes int) error {
		if err := d.makeRoom(t.Context(), bytes); err != nil {
			return err
		}
		return d.calls.add(jsonrpc2.NewNumberID(id), &call{bytes: bytes})
	}
	if err := errors.Join(add(1, 1), add(2, maxAcceptedBytes-1)); err != nil {
		t.Fatal(err)
	}
	if add(3, 1) == nil {
		t.Error("more than the limit was accepted")
	}
	d.calls.remove(jsonrpc2.NewNumberID(1))
	d.calls.remove(jsonrpc2.NewNumberID(2))
	if err := add(3, 2*maxAcceptedBytes); err != nil {
		t.Errorf("a large call alone: %v", err)
	}
	if d.calls.remove(jsonrpc2.NewNumberID(3)); d.calls.bytes.n != 0 || d.calls.count.n != 0 {
		t.Errorf("%d calls of %d bytes are left", d.calls.count.n, d.calls.bytes.n)
	}
}

// Calls in batches count as well. Only the first of many that are too much is
// waited with.
func TestLimitsOfBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := connect(t, map[string]Route{"wait": always(func(context.Context, *Caller, RawMessage) (any, error) {
			<-release
			return nil, nil
		})}).start()
		start := time.Now()
		var want []string
		for i := range maxAccepted/maxBatch + 1 {
			var batch []string
			for j := range maxBatch {
				batch = append(batch, callOf(i*maxBatch+j, "wait"))
				want = append(want, fmt.Sprintf("%d: null", i*maxBatch+j))
			}
			s.send("[" + strings.Join(batch, ",") + "]")
		}
		s.want(refusedAfter(want, maxAccepted)...)
		if waited := time.Since(start); waited != roomTimeout {
			t.Errorf("waited %v", waited)
		}
		close(release)
		s.want(want[:maxAccepted]...)
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}

// refusedAfter is what is answered to the calls behind the first n.
func refusedAfter(answers []string, n int) []string {
	var refused []string
	for _, a := range answers[n:] {
		id, _, _ := strings.Cut(a, ":")
		refused = append(refused, id+": -32803")
	}
	return refused
}

// A burst is slowed down and not refused.
func TestBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, map[string]Route{"call": always(func(context.Context, *Caller, RawMessage) (any, error) {
			time.Sleep(roomTimeout / 2)
			return nil, nil
		})}).start()
		const n = 3 * maxAccepted
		go func() {
			for i := range n {
				s.send(callOf(i, "call"))
			}
		}()
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("%d: null", i))
		}
		s.want(want...)
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}
