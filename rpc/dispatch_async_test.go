package rpc

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
	type seen struct{}
	count, captured, released := 0, 0, make(chan int, 100)
	gate, contexts := make(chan struct{}), make(chan context.Context, 100)
	s := connect(t, map[string]route{
		"note": {notification, func(context.Context, jsonrpc2.RawMessage) (any, error) { count++; return nil, nil }},
		"call": {asyncCall, func(ctx context.Context, _ jsonrpc2.RawMessage) (any, error) {
			<-gate
			contexts <- ctx
			return ctx.Value(seen{}), nil
		}},
	}, func(d *dispatcher) {
		d.capture = func(ctx context.Context) (context.Context, func()) {
			captured++
			at := count
			return context.WithValue(ctx, seen{}, at), func() { released <- at }
		}
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
	if captured != 50 || len(released) != 50 {
		t.Errorf("%d captured, %d released", captured, len(released))
	}
}

func TestCapturePanics(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := connect(t, map[string]route{"call": {asyncCall, constant("1")}, "good": {inlineCall, constant("2")}}, func(d *dispatcher) {
		d.capture = func(context.Context) (context.Context, func()) { panic("capture") }
	}).start()
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
	s := connect(t, map[string]route{
		"wait": {asyncCall, func(ctx context.Context, _ jsonrpc2.RawMessage) (any, error) {
			started <- "wait"
			return untilCancelled(ctx, nil)
		}},
		"other error": {asyncCall, func(ctx context.Context, _ jsonrpc2.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, errors.New("the file is gone")
		}},
		"too late": {asyncCall, func(ctx context.Context, _ jsonrpc2.RawMessage) (any, error) {
			<-ctx.Done()
			return jsonrpc2.RawMessage(`"done"`), nil
		}},
		"quick": {inlineCall, constant("1")},
		"stays": {asyncCall, func(ctx context.Context, _ jsonrpc2.RawMessage) (any, error) {
			<-release
			return jsonrpc2.RawMessage(`"stayed"`), ctx.Err()
		}},
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
	s := connect(t, map[string]route{
		"wait": {asyncCall, func(context.Context, jsonrpc2.RawMessage) (any, error) {
			ran <- struct{}{}
			<-release
			return nil, nil
		}},
		"good": {inlineCall, constant(`"good"`)},
	}, func(d *dispatcher) { d.roomTimeout = time.Millisecond }).start()
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
	s := connect(t, map[string]route{"wait": {asyncCall, untilCancelled}}).start()
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
	d := newDispatcher(nil, nil, nil)
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
		s := connect(t, map[string]route{"wait": {asyncCall, func(context.Context, jsonrpc2.RawMessage) (any, error) {
			<-release
			return nil, nil
		}}}).start()
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
		s := connect(t, map[string]route{"call": {asyncCall, func(context.Context, jsonrpc2.RawMessage) (any, error) {
			time.Sleep(roomTimeout / 2)
			return nil, nil
		}}}).start()
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
