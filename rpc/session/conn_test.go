package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted is a session that hands the id of each call and cancellation to the
// test, which writes the answers.
func scripted(t *testing.T) (c *Conn, asked <-chan uint64, write func(b []byte)) {
	t.Helper()
	ids, there := make(chan uint64, 16), make(chan net.Conn, 1)
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		there <- c
		in := frameReader{r: bufio.NewReader(c)}
		for {
			var m message
			if _, err := in.next(&m); err != nil {
				return
			}
			switch m.Do {
			case doCall, doCancel:
				ids <- m.ID
			case doPing:
				_, _ = c.Write(answerOf(m.ID, ""))
			}
		}
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := <-there
	return c, ids, func(b []byte) {
		if _, err := out.Write(b); err != nil {
			t.Error(err)
		}
	}
}

func answerOf(id uint64, body string) []byte {
	return frameOf(fmt.Sprintf(`{"do":"answer","id":%d}`, id), []byte(body)...)
}

// TestGivingUpWithinAFrame: when one of several that wait is cancelled, at
// whatever place of whoever's answer, the others get theirs.
func TestGivingUpWithinAFrame(t *testing.T) {
	t.Parallel()
	for _, cut := range []int{0, 3, frameLengths, 20, 5000} {
		t.Run(fmt.Sprint(cut), func(t *testing.T) {
			c, asked, write := scripted(t)
			ctx, cancel := context.WithCancel(t.Context())
			var work sync.WaitGroup
			work.Go(func() {
				if _, sent, err := c.Call(ctx, Call{Tool: "x"}); !errors.Is(err, context.Canceled) || !sent {
					t.Errorf("sent %v, %v", sent, err)
				}
			})
			<-asked
			want := strings.Repeat("second", 1000)
			work.Go(func() {
				if a, _, err := c.Call(t.Context(), Call{Tool: "y"}); string(a.Raw) != want {
					t.Errorf("got %.20q, %v", a.Raw, err)
				}
			})
			answer := answerOf(<-asked, want)
			write(answer[:cut])
			cancel()
			if id := <-asked; id != 1 {
				t.Errorf("%d is cancelled", id)
			}
			write(answer[cut:])
			work.Wait()
			c.close()
		})
	}
}

// TestLateAnswers: a session is not kept from writing what nobody waits for.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	c, asked, write := scripted(t)
	for i := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, _, err := c.Call(ctx, Call{Tool: "x"})
			done <- err
		}()
		id := <-asked
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		<-asked // that it is cancelled
		if i == 1 {
			continue // never answered
		}
		write(answerOf(id, strings.Repeat("late", 1<<20)))
	}
	if err := c.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	c.close() // returns though one answer never comes
}

// TestEndIsNoticed: a session that ends while nothing is asked.
func TestEndIsNoticed(t *testing.T) {
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		_, _ = io.CopyN(io.Discard, c, 10)
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Ping(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("got %v", err)
	}
	if !c.over() || c.live() {
		t.Error("it is not over")
	}
}

// TestLookingWhileAnAnswerComes: a session that answers and ends is over only
// when its answer was read.
func TestLookingWhileAnAnswerComes(t *testing.T) {
	hangUp := make(chan struct{})
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		in, m := frameReader{r: bufio.NewReader(c)}, message{}
		for m.Do != doCall {
			if _, err := in.next(&m); err != nil {
				t.Error(err)
				return
			}
		}
		_, _ = c.Write(frameOf(fmt.Sprintf(`{"do":"progress","id":%d}`, m.ID)))
		_, _ = c.Write(answerOf(m.ID, strings.Repeat("edited", 20_000))) // more than is read at once
		close(hangUp)
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	look := func(string, int, int) {
		<-hangUp
		for begun := time.Now(); !hungUp(c.raw) && time.Since(begun) < time.Second; time.Sleep(time.Millisecond) {
		}
		if c.over() {
			t.Error("it is over with an answer on its way")
		}
	}
	if a, _, err := c.Call(t.Context(), Call{Tool: "x", Progress: look}); err != nil || len(a.Raw) != 120_000 {
		t.Errorf("%d bytes, %v", len(a.Raw), err)
	}
	if !c.over() {
		t.Error("it is not over")
	}
}

// TestListenerPanics: that costs one call, not all the others.
func TestListenerPanics(t *testing.T) {
	t.Parallel()
	c, asked, write := scripted(t)
	var work sync.WaitGroup
	work.Go(func() {
		defer func() { _ = recover() }()
		_, _, _ = c.Call(t.Context(), Call{Tool: "x", Progress: func(string, int, int) { panic("boom") }})
		t.Error("no panic")
	})
	first := <-asked
	work.Go(func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if a, _, err := c.Call(ctx, Call{Tool: "y"}); string(a.Raw) != "second" {
			t.Errorf("got %q, %v", a.Raw, err)
		}
	})
	second := <-asked
	for range 2 * maxCame {
		write(frameOf(fmt.Sprintf(`{"do":"progress","id":%d}`, first)))
	}
	write(answerOf(second, "second"))
	work.Wait()
	c.close()
}

// TestCutFrame: a session that stops within a frame does not keep who gives up,
// and is lost for who asks next.
func TestCutFrame(t *testing.T) {
	t.Parallel()
	c, _, write := scripted(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, _, err := c.do(ctx, &message{Do: doWatch}, &pendingRequest{event: func(Document) {}})
		done <- err
	}()
	begun, before := frameOf(`{"do":"event","id":1}`)[:12], c.from.read.Load()
	write(begun)
	for c.from.read.Load() < before+int64(len(begun)) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it still waits")
	}
	if _, sent, err := c.Call(t.Context(), Call{Tool: "x"}); !IsLost(err) || !sent {
		t.Errorf("sent %v, %v", sent, err)
	}
	c.close()
}

// watch has a connection watch the session's documents, and returns when that
// has begun.
func watch(tb testing.TB, c *Conn) {
	tb.Helper()
	begun := make(chan struct{}, 1)
	var work sync.WaitGroup
	work.Go(func() {
		_, _, _ = c.do(tb.Context(), &message{Do: doWatch}, &pendingRequest{event: func(Document) { begun <- struct{}{} }})
	})
	tb.Cleanup(func() { c.close(); work.Wait() })
	select {
	case <-begun:
	case <-time.After(time.Minute):
		tb.Fatal("it does not begin")
	}
}

// TestWatchBegins: at once, not with the first change.
func TestWatchBegins(t *testing.T) {
	t.Parallel()
	folder, _ := serveHere(t)
	c := attached(t, folder)
	watch(t, c)
	if a, _, err := c.Call(t.Context(), Call{Tool: "10k"}); err != nil || len(a.Raw) != 10<<10 {
		t.Errorf("%d bytes, %v", len(a.Raw), err)
	}
}

// TestCallsBesideAWatch: many at once and some of whom give up; no answer and no
// event is lost, also of those that come when nobody calls.
func TestCallsBesideAWatch(t *testing.T) {
	t.Parallel()
	const callers, calls = 4, 100
	write := make(chan func([]byte), 1)
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		var mu sync.Mutex
		send := func(b []byte) {
			mu.Lock()
			defer mu.Unlock()
			_, _ = c.Write(b)
		}
		write <- send
		for in := (frameReader{r: bufio.NewReader(c)}); ; {
			var m message
			if _, err := in.next(&m); err != nil {
				return
			}
			if m.Do == doWatch {
				send(frameOf(`{"do":"event","id":1}`))
			}
			if m.Do != doCall {
				continue
			}
			if m.ID%5 == 0 {
				time.Sleep(time.Millisecond)
			}
			send(frameOf(`{"do":"event","id":1}`, []byte(`{"uri":"file:///a"}`)...))
			send(answerOf(m.ID, strings.Repeat("x", int(m.ID)*100)))
		}
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events := make(chan Document, 2*callers*calls)
	var work, watching sync.WaitGroup
	watching.Go(func() {
		_, _, _ = c.do(t.Context(), &message{Do: doWatch}, &pendingRequest{event: func(d Document) { events <- d }})
	})
	send := <-write
	hear := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-events:
			case <-time.After(time.Minute):
				t.Fatal("an event is lost")
			}
		}
	}
	hear(1)
	for range callers {
		work.Go(func() {
			for i := range calls {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				if i%7 == 0 {
					time.Sleep(2 * time.Millisecond)
					time.AfterFunc(time.Duration(i)*10*time.Microsecond, cancel)
				}
				if a, _, err := c.Call(ctx, Call{Tool: "x"}); err == nil && len(a.Raw)%100 != 0 || err != nil && (i%7 != 0 || !errors.Is(err, context.Canceled)) {
					t.Errorf("%d bytes, %v", len(a.Raw), err)
				}
				cancel()
			}
		})
	}
	work.Wait()
	hear(callers * calls)
	send(frameOf(`{"do":"event","id":1}`))
	hear(1)
	c.close()
	watching.Wait()
}

// TestSlowWatch: who is slow to hear of changes keeps no call waiting, before so
// many have come that the session has to wait.
func TestSlowWatch(t *testing.T) {
	t.Parallel()
	c, calls, write := scripted(t)
	hear, heard := make(chan struct{}), 0
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		_, _, _ = c.do(ctx, &message{Do: doWatch}, &pendingRequest{event: func(Document) {
			<-hear
			if heard++; heard == 3*maxCame {
				cancel()
			}
		}})
	})
	for asks := 0; asks == 0; time.Sleep(time.Millisecond) { // so that its id is 1
		c.mu.Lock()
		asks = len(c.pending)
		c.mu.Unlock()
	}
	event := frameOf(`{"do":"event","id":1}`)
	for range maxCame {
		write(event)
	}
	var work sync.WaitGroup
	work.Go(func() {
		if a, _, err := c.Call(t.Context(), Call{Tool: "x"}); string(a.Raw) != "answer" {
			t.Errorf("%q, %v", a.Raw, err)
		}
	})
	write(answerOf(<-calls, "answer"))
	work.Wait()
	for range 2 * maxCame {
		write(event)
	}
	close(hear)
	watching.Wait()
	if heard != 3*maxCame {
		t.Errorf("%d events are heard", heard)
	}
	c.close()
}

// TestEndWhileNothingIsAsked: the connection is known to have ended.
func TestEndWhileNothingIsAsked(t *testing.T) {
	t.Parallel()
	hangUp := make(chan struct{})
	peer := hostile(t, func(c net.Conn) {
		_, _ = c.Write(frameOf(`{"do":"hello","protocol":1}`))
		<-hangUp
	})
	c, err := peer.Attach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !c.live() {
		t.Error("it has ended")
	}
	close(hangUp)
	select {
	case <-c.ended:
	case <-time.After(time.Minute):
		t.Error("nobody notices the end")
	}
	c.close()
}
